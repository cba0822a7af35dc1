/* The entry point; everything that it does is in program.h. */
#include "program/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Started without one of the standard streams, the program would open some other file under its
 * number, and print or read there. So each missing stream becomes a descriptor that fails when it
 * is used in the stream's direction. */
static void keep_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            return;
}

int main(int argc, char **argv)
{
    keep_streams();
    /* Clang parses on the calling thread then, whose stack the pool made deep enough for sources
     * whose nesting only macros show. */
    setenv("LIBCLANG_NOTHREADS", "1", 0);
    return command_main(stdout, stderr, argc, (const char *const *)argv);
}

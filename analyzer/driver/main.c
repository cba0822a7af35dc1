/* The command's entry point; everything it does is in driver.h. */
#include "driver/driver.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    /* Clang parses on the calling thread then, whose stack the pool made deep enough for sources
     * whose nesting only macros show. */
    setenv("LIBCLANG_NOTHREADS", "1", 0);
    return driver_main(stdout, stderr, argc, (const char *const *)argv);
}

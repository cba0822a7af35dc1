/* tilerace-guard PROGRAM [ARGUMENT...]: becomes the program, and leaves a process behind that kills
 * the program's group as soon as whoever started it is gone, however that came: it watches a pipe
 * whose other end nobody else has. A death signal would not do, since Linux sends it when the
 * thread ends that started the program.
 *
 * It is started by base/process.c: descriptor 3 is the pipe, and it is the leader of its group. A
 * byte on the pipe says that the group is no longer there, so that its number may be another's. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WATCHED = 3 };

static void watch(pid_t group)
{
    char byte;
    ssize_t got;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    setsid();
    if (chdir("/") != 0)
        _exit(1); /* no file system is kept in use */
    while ((got = read(WATCHED, &byte, 1)) < 0 && errno == EINTR) {
    }
    if (got == 0)
        kill(-group, SIGKILL);
    _exit(0);
}

/* The watching process is a child of nobody that would have to wait for it. It never has the
 * program's streams, so that their end comes with the program's own. */
static void leave_watcher(void)
{
    pid_t group = getpid(), between = fork();
    if (between == 0) {
        for (int stream = 0; stream < WATCHED; stream++)
            close(stream);
        if (fork() == 0)
            watch(group);
        _exit(0);
    }
    while (between > 0 && waitpid(between, NULL, 0) < 0 && errno == EINTR) {
    }
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 127;
    leave_watcher();
    fcntl(WATCHED, F_SETFD, FD_CLOEXEC);
    execvp(argv[1], argv + 1);
    fprintf(stderr, "cannot start '%s': %s\n", argv[1], strerror(errno));
    return 127;
}

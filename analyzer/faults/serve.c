/* Serves from one process that loads the program once, and forks for each command line.
 *
 * A request is the length of what follows, as text with a newline, then texts that end with a NUL:
 * the folder to run in, the files for standard input, output and the error stream, milliseconds
 * until it is killed, the number of words, the words, and what is added to the environment
 * (NAME=value). The answer is a line: the status as waitpid has it, 1 where the time was over, and
 * how many processes it left behind that did not end by themselves. */
#include "faults/faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST = 1 << 20, MOST_WORDS = 1000, PATIENCE_MS = 5000 };

typedef struct request {
    char *at, *end;
    const char *folder, *streams[3];
    long most_ms;
    int n_words;
    char *words[MOST_WORDS + 1];
} request;

static char *next(request *r)
{
    if (r->at >= r->end)
        return NULL;
    char *text = r->at;
    r->at += strlen(text) + 1;
    return text;
}

static bool read_request(request *r, char *bytes)
{
    char line[32];
    if (!fgets(line, sizeof line, stdin))
        return false;
    size_t length = strtoul(line, NULL, 10);
    if (length >= LONGEST || fread(bytes, 1, length, stdin) != length)
        return false;
    bytes[length] = '\0';
    *r = (request){.at = bytes, .end = bytes + length};
    r->folder = next(r);
    for (int i = 0; i < 3; i++)
        r->streams[i] = next(r);
    const char *most = next(r), *n = next(r);
    if (!n)
        return false;
    r->most_ms = atol(most);
    r->n_words = atoi(n);
    for (int i = 0; i < r->n_words && i < MOST_WORDS; i++)
        r->words[i] = next(r);
    return r->n_words <= MOST_WORDS;
}

static void become(request *r, int (*program)(int, char **))
{
    setpgid(0, 0);
    for (int i = 0; i < 3; i++) {
        int fd = open(r->streams[i], i == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_APPEND, 0666);
        if (fd < 0 || dup2(fd, i) < 0)
            _exit(99);
        close(fd);
    }
    if (chdir(r->folder) != 0)
        _exit(99);
    for (char *variable; (variable = next(r));)
        putenv(variable);
    exit(program(r->n_words, r->words));
}

static long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits for the process, no longer than it may take. */
static bool wait_for(pid_t id, long most_ms, int *status)
{
    struct pollfd ended = {.fd = (int)syscall(SYS_pidfd_open, id, 0), .events = POLLIN};
    bool in_time = poll(&ended, 1, (int)most_ms) == 1;
    close(ended.fd);
    kill(-id, SIGKILL);
    waitpid(id, status, 0);
    return in_time;
}

/* Processes that the program had started and that still exist come to this process, and end soon:
 * the guards of solvers see that their checker has gone. */
static int count_left(void)
{
    int left = 0;
    long begun = now_ms();
    for (;;) {
        pid_t id = waitpid(-1, NULL, WNOHANG);
        if (id < 0 && errno == ECHILD)
            return left;
        if (id == 0 && now_ms() - begun > PATIENCE_MS)
            return left + 1;
        if (id == 0)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

int faults_serve(int (*program)(int argc, char **argv))
{
    char *bytes = malloc(LONGEST);
    request r;
    if (!bytes)
        return 1;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    dlopen("libclang-19.so.1", RTLD_LAZY | RTLD_LOCAL);
    while (read_request(&r, bytes)) {
        int status = 0;
        pid_t id = fork();
        if (id < 0)
            return 1;
        if (id == 0)
            become(&r, program);
        bool in_time = wait_for(id, r.most_ms, &status);
        printf("%d %d %d\n", status, !in_time, count_left());
        fflush(stdout);
    }
    free(bytes);
    return 0;
}

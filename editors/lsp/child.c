#include "lsp/child.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"

/* A check of a kernel takes some tens of MiB, its stack 256 MiB of addresses. */
#define MOST_MEMORY ((rlim_t)2 << 30)

struct child {
    pid_t id;
    int output;
    int64_t deadline;
};

/* ---- Section: The child's side ---- */

static void limit(void)
{
    const struct rlimit memory = {MOST_MEMORY, MOST_MEMORY}, none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
#if !defined(__SANITIZE_ADDRESS__) /* it maps terabytes, and touches few of them */
    setrlimit(RLIMIT_AS, &memory);
#else
    (void)memory;
#endif
}

/* The protocol's own streams are no business of a check. */
static void lay_out_streams(void)
{
    int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(none, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    close(none);
}

__attribute__((noreturn)) static void work_and_end(void (*work)(void *user, int to), void *user,
                                                   pid_t parent, int to)
{
    sigset_t none;
    sigemptyset(&none);
    setsid(); /* its solvers are known by it */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    sigprocmask(SIG_SETMASK, &none, NULL);
    limit();
    lay_out_streams();
    work(user, to);
    fflush(NULL);
    _exit(0);
}

/* ---- Section: Starting and ending ---- */

tr_give child *child_start(tr_arena *arena, void (*work)(void *user, int to), void *user,
                           int64_t patience_ms, const char **why)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        *why = tr_arena_printf(arena, "no process can be made: %s", strerror(errno));
        return NULL;
    }
    fflush(NULL);
    pid_t parent = getpid(), id = fork();
    if (id == 0) {
        close(ends[0]);
        work_and_end(work, user, parent, ends[1]);
    }
    int failed = errno;
    close(ends[1]);
    child *c = id > 0 ? calloc(1, sizeof *c) : NULL;
    if (!c) {
        close(ends[0]);
        *why = tr_arena_printf(arena, "no process can be made: %s", strerror(failed));
        return NULL;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *c = (child){.id = id, .output = ends[0], .deadline = tr_now_ms() + patience_ms};
    return c;
}

/* The session of a process, or 0. */
static pid_t session_of(const char *process)
{
    char path[300], line[512];
    snprintf(path, sizeof path, "/proc/%s/stat", process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = file >= 0 ? read(file, line, sizeof line - 1) : 0;
    if (file >= 0)
        close(file);
    line[n > 0 ? n : 0] = '\0';
    const char *behind_name = strrchr(line, ')');
    int session = 0;
    if (behind_name)
        sscanf(behind_name + 1, " %*c %*d %*d %d", &session);
    return session;
}

/* A solver is in a process group of its own, and need not notice that nobody asks any more. Its
 * guard ends it too, where one is installed, but not before it has noticed. */
static void kill_session(pid_t session)
{
    DIR *processes = opendir("/proc");
    for (const struct dirent *entry; processes && (entry = readdir(processes));)
        if (isdigit((unsigned char)entry->d_name[0]) && session_of(entry->d_name) == session)
            kill((pid_t)atoi(entry->d_name), SIGKILL);
    if (processes)
        closedir(processes);
}

static int reap(child *c)
{
    int status = 0;
    while (c->id > 0 && waitpid(c->id, &status, 0) < 0 && errno == EINTR)
        continue;
    c->id = 0;
    return status;
}

void child_free(tr_take child *c)
{
    if (!c)
        return;
    if (c->id > 0) {
        pid_t session = c->id;
        kill(session, SIGKILL);
        kill_session(session); /* while its number is taken */
        reap(c);
    }
    close(c->output);
    free(c);
}

int child_output(const child *c)
{
    return c->output;
}

int64_t child_deadline(const child *c)
{
    return c->deadline;
}

/* ---- Section: Reading ---- */

static const char *why_ended(tr_arena *arena, int status)
{
    if (WIFSIGNALED(status))
        return tr_arena_printf(arena, "the checker died: %s", strsignal(WTERMSIG(status)));
    return WEXITSTATUS(status) == 0 ? NULL : "the checker came to nothing";
}

bool child_read(child *c, tr_text *out, tr_arena *arena, const char **why)
{
    enum { TURNS = 64 };
    char bytes[1 << 14];
    for (int turn = 0; turn < TURNS; turn++) {
        ssize_t n = read(c->output, bytes, sizeof bytes);
        if (n > 0)
            tr_text_addn(out, bytes, (size_t)n);
        else if (n < 0 && errno == EINTR)
            continue;
        else if (n < 0 && errno == EAGAIN)
            return true;
        else
            break;
        if (turn == TURNS - 1)
            return true;
    }
    pid_t session = c->id;
    int status = reap(c);
    *why = why_ended(arena, status);
    if (*why)
        kill_session(session);
    return false;
}

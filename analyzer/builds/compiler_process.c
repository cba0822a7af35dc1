#include "builds/compiler_process.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptors.h"
#include "base/process.h"
#include "processes/children.h"
#include "processes/landlock.h"

enum { LEASH = 3, SAID, ANSWER }; /* the keeper's descriptors */

enum { SAID_KEPT = 16 << 10, TICK_MS = 20, STOP_TICK_MS = 50, MOST_SWEEPS = 500 };

/* The keeper writes this when it ends. */
typedef struct verdict {
    int failed; /* errno of what could not be started; 0: it ran */
    int status; /* of waitpid */
    bool is_late;
    bool is_left; /* the process that we work for has ended, or wants no more of it */
} verdict;

/* ---- Section: In the compiler's process, before it is one ---- */

/* Confines writing to the folder. A kernel without Landlock confines nothing; false: it has
 * Landlock, and refuses. */
static bool fence(const char *writable)
{
    const uint64_t others = LANDLOCK_EXECUTE | LANDLOCK_READ | LANDLOCK_LIST | LANDLOCK_DEVICES;
    const landlock_grant granted[] = {{writable, LANDLOCK_ALL},
                                      {"/dev/null", LANDLOCK_WRITE | LANDLOCK_TRUNCATE}};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    landlock_answer is = landlock_restrict(LANDLOCK_ALL & ~others, TR_COUNT(granted), granted);
    return is.in_force || !is.is_there;
}

static void limit(int what, uint64_t most)
{
    struct rlimit now;
    if (getrlimit(what, &now) != 0)
        return;
    rlim_t to = now.rlim_max < most ? now.rlim_max : (rlim_t)most;
    setrlimit(what, &(const struct rlimit){to, to});
}

static void set_variables(const build_command *c)
{
    for (size_t i = 0; c->variables && c->variables[i]; i++) {
        const char *is = strchr(c->variables[i], '=');
        if (!is) {
            unsetenv(c->variables[i]);
            continue;
        }
        char *name = strndup(c->variables[i], (size_t)(is - c->variables[i]));
        if (name)
            setenv(name, is + 1, 1);
        free(name);
    }
}

__attribute__((noreturn)) static void become(const build_command *c, int said, int failure)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    setpgid(0, 0);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_DATA, c->memory);
    limit(RLIMIT_FSIZE, c->memory);
    set_variables(c);
    if (chdir(c->folder) == 0 && (!c->writable || fence(c->writable)))
        execv(c->argv[0], (char *const *)(uintptr_t)c->argv);
    int why = errno;
    ssize_t told = write(failure, &why, sizeof why);
    _exit(told < 0 ? 126 : 127);
}

/* ---- Section: In the keeper ---- */

/* Kills all that is left of the compiler. What it started and left behind is ours now, since this
 * process is a subreaper. */
static void sweep(pid_t compiler)
{
    kill(-compiler, SIGKILL);
    for (int i = 0; i < MOST_SWEEPS; i++) {
        children_kill();
        pid_t got;
        while ((got = waitpid(-1, NULL, WNOHANG)) > 0)
            continue;
        if (got < 0 && errno == ECHILD)
            return;
        poll(NULL, 0, 2);
    }
}

/* Waits for the end of the compiler, of its time, or of the process that we work for: then the
 * other end of the leash is closed. */
static void wait_for(pid_t compiler, int leash, int64_t timeout_ms, verdict *of)
{
    const int64_t until = tr_now_ms() + timeout_ms;
    for (;;) {
        pid_t got = waitpid(compiler, &of->status, WNOHANG);
        if (got == compiler || (got < 0 && errno != EINTR))
            return;
        of->is_late = tr_now_ms() >= until;
        struct pollfd end = {.fd = leash, .events = POLLIN};
        of->is_left = !of->is_late && poll(&end, 1, TICK_MS) > 0;
        if (of->is_late || of->is_left)
            return;
    }
}

__attribute__((noreturn)) static void be_keeper(const build_command *c, int leash, int said,
                                                int answer)
{
    verdict of = {0};
    int ends[2];
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL); /* fails for those that cannot have a handler */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_IGN);
    tr_keep_descriptors(3, (const int[]){leash, said, answer});
    leash = LEASH, said = SAID, answer = ANSWER;
    pid_t compiler = -1;
    if (pipe2(ends, O_CLOEXEC) == 0)
        compiler = fork();
    if (compiler == 0)
        become(c, said, ends[1]);
    if (compiler < 0) {
        of.failed = errno;
    } else {
        close(ends[1]);
        if (read(ends[0], &of.failed, sizeof of.failed) != sizeof of.failed)
            of.failed = 0;
        wait_for(compiler, leash, c->timeout_ms, &of);
        sweep(compiler);
    }
    if (of.is_left && c->scratch)
        build_remove_folder(c->scratch);
    ssize_t told = write(answer, &of, sizeof of);
    _exit(told == sizeof of ? 0 : 1);
}

/* ---- Section: In our process ---- */

/* Reads both streams to their ends, and keeps the last part of what is said. Lets go of the leash
 * once `stop` is set.
 */
static void hear(int said, int answer, int *leash, const atomic_bool *stop, tr_text *text,
                 verdict *of, size_t *got)
{
    char piece[4096];
    struct pollfd ends[2] = {{said, POLLIN, 0}, {answer, POLLIN, 0}};
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        if (poll(ends, 2, stop ? STOP_TICK_MS : -1) < 0 && errno != EINTR)
            break;
        if (stop && *leash >= 0 && atomic_load(stop)) {
            close(*leash);
            *leash = -1;
        }
        if (ends[0].fd >= 0 && ends[0].revents) {
            ssize_t n = read(said, piece, sizeof piece);
            if (n > 0)
                tr_text_addn(text, piece, (size_t)n);
            if (text->length > (size_t)2 * SAID_KEPT) {
                memmove(text->data, text->data + text->length - SAID_KEPT, SAID_KEPT);
                text->length = SAID_KEPT;
                text->data[SAID_KEPT] = 0;
            }
            if (n == 0 || (n < 0 && errno != EINTR))
                ends[0].fd = -1;
        }
        if (ends[1].fd >= 0 && ends[1].revents) {
            ssize_t n = read(answer, (char *)of + *got, sizeof *of - *got);
            *got += n > 0 ? (size_t)n : 0;
            if (n == 0 || (n < 0 && errno != EINTR) || *got == sizeof *of)
                break; /* nothing of the compiler is left by then */
        }
    }
}

static void set_end(tr_arena *arena, const build_command *c, const verdict *of, bool is_whole,
                    build_end *end)
{
    const char *name = strrchr(c->argv[0], '/');
    name = name ? name + 1 : c->argv[0];
    if (!is_whole) {
        end->why = tr_arena_printf(arena, "%s was lost", name);
    } else if (of->failed) {
        end->why =
            tr_arena_printf(arena, "%s cannot be started: %s", c->argv[0], strerror(of->failed));
    } else {
        end->is_late = of->is_late;
        end->is_stopped = of->is_left;
        end->signal =
            !of->is_late && !of->is_left && WIFSIGNALED(of->status) ? WTERMSIG(of->status) : 0;
        end->exit_status = WIFEXITED(of->status) ? WEXITSTATUS(of->status) : -1;
    }
}

bool build_process_run(tr_arena *arena, const build_command *command, build_end *end)
{
    int leash[2] = {-1, -1}, said[2] = {-1, -1}, answer[2] = {-1, -1};
    tr_text text = {0};
    verdict of = {0};
    size_t got = 0;
    pid_t keeper = -1;
    *end = (build_end){.said = ""};
    if (pipe2(leash, O_CLOEXEC) == 0 && pipe2(said, O_CLOEXEC) == 0 &&
        pipe2(answer, O_CLOEXEC) == 0)
        keeper = fork();
    if (keeper == 0) {
        pid_t own = fork();
        if (own == 0)
            be_keeper(command, leash[0], said[1], answer[1]);
        _exit(own < 0 ? 1 : 0);
    }
    if (keeper < 0)
        end->why = tr_arena_printf(arena, "no process can be made: %s", strerror(errno));
    close(leash[0]);
    close(said[1]);
    close(answer[1]);
    if (keeper > 0) {
        while (waitpid(keeper, NULL, 0) < 0 && errno == EINTR)
            continue;
        hear(said[0], answer[0], &leash[1], command->stop, &text, &of, &got);
        set_end(arena, command, &of, got == sizeof of, end);
    }
    if (leash[1] >= 0)
        close(leash[1]);
    close(said[0]);
    close(answer[0]);
    end->said = tr_arena_strndup(arena, tr_text_get(&text), text.length);
    tr_text_free(&text);
    return !end->why && !end->is_late && !end->is_stopped && end->signal == 0 &&
           end->exit_status == 0;
}

/* ---- Section: Folders ---- */

static int open_folder(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)at;
    if ((kind == FTW_D || kind == FTW_DNR) && S_ISDIR(info->st_mode))
        chmod(path, 0700);
    return 0;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info, (void)kind, (void)at;
    remove(path);
    return 0;
}

void build_remove_folder(const char *path)
{
    enum { MOST_OPEN = 16, MOST_ROUNDS = 8 }; /* each opens at least one folder that was closed */
    for (int i = 0; i < MOST_ROUNDS && access(path, F_OK) == 0; i++) {
        nftw(path, open_folder, MOST_OPEN, FTW_PHYS | FTW_MOUNT);
        nftw(path, remove_one, MOST_OPEN, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    }
}

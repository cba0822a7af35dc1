#include "compilers/real.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "builds/words.h"

/* ---- Section: Finding it ---- */

static bool is_another_program(const char *path)
{
    struct stat it, own;
    return stat(path, &it) != 0 || stat("/proc/self/exe", &own) != 0 || it.st_dev != own.st_dev ||
           it.st_ino != own.st_ino;
}

const char *const *real_find_cc(tr_arena *arena, const char **why)
{
    enum { OLDEST = 18, NEWEST = 30 };
    const char *named = getenv("TILERACE_CC");
    if (named && named[strspn(named, " \t")])
        return words_split(arena, NULL, named);
    const char **words = TR_NEW_ARRAY(arena, const char *, 2);
    for (int version = NEWEST; version >= OLDEST && !words[0]; version--)
        words[0] =
            tr_find_program(arena, tr_arena_printf(arena, "clang-%d", version), is_another_program);
    if (!words[0])
        words[0] = tr_find_program(arena, "clang", is_another_program);
    if (!words[0])
        words[0] = tr_find_program(arena, "cc", is_another_program);
    if (words[0])
        return words;
    *why =
        "there is no C compiler on PATH for code outside of kernels: install clang, or name one in "
        "TILERACE_CC";
    return NULL;
}

const char *const *real_command(tr_arena *arena, const char *const *program, size_t n,
                                const char *const *words)
{
    size_t own = 0;
    while (program[own])
        own++;
    const char **all = TR_NEW_ARRAY(arena, const char *, own + n + 1);
    for (size_t i = 0; i < own; i++)
        all[i] = program[i];
    for (size_t i = 0; i < n; i++)
        all[own + i] = words[i];
    return all;
}

/* ---- Section: Running it ---- */

/* Becomes the command, in the child of a fork. */
static void become(const char *const *command, pid_t parent, bool quietly, int failure)
{
    int nothing = quietly ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1;
    for (int fd = 0; nothing >= 0 && fd <= 2; fd++)
        dup2(nothing, fd);
    signal(SIGPIPE, SIG_DFL); /* ours is switched off */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == parent)
        execvp(command[0], (char *const *)command);
    int why = errno;
    ssize_t told = write(failure, &why, sizeof why);
    _exit(told < 0 ? 126 : 127);
}

static pid_t start(tr_arena *arena, const char *const *command, bool quietly, const char **why)
{
    int ends[2], failed = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        *why = tr_arena_printf(arena, "%s cannot be started: %s", command[0], strerror(errno));
        return -1;
    }
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        become(command, parent, quietly, ends[1]);
    if (child < 0)
        failed = errno;
    close(ends[1]);
    if (child > 0 && read(ends[0], &failed, sizeof failed) != sizeof failed)
        failed = 0;
    close(ends[0]);
    if (!failed)
        return child;
    if (child > 0)
        waitpid(child, NULL, 0);
    *why = tr_arena_printf(arena, "%s cannot be started: %s", command[0], strerror(failed));
    return -1;
}

pid_t real_start(tr_arena *arena, const char *const *command, const char **why)
{
    return start(arena, command, false, why);
}

int real_wait(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 127;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int real_run(tr_arena *arena, const char *const *command, const char **why)
{
    pid_t child = start(arena, command, false, why);
    return child > 0 ? real_wait(child) : 127;
}

int real_run_quietly(tr_arena *arena, const char *const *command, const char **why)
{
    pid_t child = start(arena, command, true, why);
    return child > 0 ? real_wait(child) : 127;
}

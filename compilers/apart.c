#include "compilers/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child. Its end is 0 only where all of it was written. */
static void work_and_end(void (*work)(void *user, tr_text *out), void *user, pid_t parent, int to)
{
    tr_text own = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    work(user, &own);
    fflush(NULL);
    for (size_t done = 0; done < own.length;) {
        ssize_t n = write(to, own.data + done, own.length - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            _exit(1);
        done += (size_t)n;
    }
    _exit(0);
}

static void read_all(int from, tr_text *out)
{
    char bytes[1 << 14];
    for (ssize_t n; (n = read(from, bytes, sizeof bytes)) != 0;) {
        if (n < 0 && errno != EINTR)
            return;
        if (n > 0)
            tr_text_addn(out, bytes, (size_t)n);
    }
}

bool apart_run(tr_arena *arena, void (*work)(void *user, tr_text *out), void *user, tr_text *out,
               const char **why)
{
    int ends[2], status = 0;
    size_t before = out->length;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        *why = tr_arena_printf(arena, "no process can be made: %s", strerror(errno));
        return false;
    }
    fflush(NULL);
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        work_and_end(work, user, parent, ends[1]);
    int failed = errno;
    close(ends[1]);
    if (child > 0)
        read_all(ends[0], out);
    close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    if (child < 0)
        *why = tr_arena_printf(arena, "no process can be made: %s", strerror(failed));
    else if (WIFSIGNALED(status))
        *why = tr_arena_printf(arena, "the checker died: %s", strsignal(WTERMSIG(status)));
    else
        *why = "the checker came to nothing";
    if (out->length > before) { /* of what came to nothing, nothing is told */
        out->length = before;
        out->data[before] = 0;
    }
    return false;
}

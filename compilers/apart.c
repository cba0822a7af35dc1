#include "compilers/apart.h"

#include <errno.h>
#include <fcntl.h>
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

/* Stands behind what the child wrote: without it something is missing, however the child ended. A
 * host that ignores SIGCHLD never hears how. */
#define WHOLE '\4'

/* ---- Section: In the child ---- */

static void forget_handlers(void)
{
    for (int number = 1; number < NSIG; number++) {
        struct sigaction how;
        if (sigaction(number, NULL, &how) == 0 && how.sa_handler != SIG_IGN)
            signal(number, SIG_DFL); /* fails for those that cannot have a handler */
    }
}

/* Makes the checker the first process to fail when memory runs out: Linux chooses it to be killed,
 * and its address space is limited to what it had at the start plus the machine's memory. */
static void be_the_first_to_go(void)
{
    unsigned long long pages = 0;
    struct rlimit limit;
    FILE *size = fopen("/proc/self/statm", "re");
    FILE *score = fopen("/proc/self/oom_score_adj", "we");
    const bool known = size && fscanf(size, "%llu", &pages) == 1;
    const unsigned long long page = (unsigned long long)sysconf(_SC_PAGESIZE);
    const unsigned long long most = (pages + (unsigned long long)sysconf(_SC_PHYS_PAGES)) * page;
    if (known && getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur > most) {
        limit.rlim_cur = most;
        setrlimit(RLIMIT_AS, &limit);
    }
    if (score)
        fputs("1000", score);
    if (score)
        fclose(score);
    if (size)
        fclose(size);
}

/* Works in the child. Its exit code is 0 only if everything was written. */
static void work_and_end(void (*work)(void *user, tr_text *out), void *user, pid_t parent, int to)
{
    tr_text own = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    forget_handlers();
    be_the_first_to_go();
    work(user, &own);
    fflush(NULL);
    tr_text_addn(&own, (const char[]){WHOLE}, 1);
    _exit(tr_write_all(to, own.data, own.length) ? 0 : 1);
}

/* ---- Section: In the parent ---- */

static int64_t seconds_of_limit(void)
{
    const char *word = getenv("TILERACE_TIME_LIMIT");
    char *end = NULL;
    const long long given = word ? strtoll(word, &end, 10) : 0;
    return given > 0 && given < 1000000 && !*end ? given : APART_SECONDS;
}

/* False: the time was up first. */
static bool read_all(int from, int64_t until, tr_text *out)
{
    char bytes[1 << 14];
    for (;;) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        const int64_t left = until - tr_now_ms();
        if (left <= 0)
            return false;
        const int n_ready = poll(&ready, 1, (int)left);
        if (n_ready <= 0)
            continue;
        const ssize_t n = read(from, bytes, sizeof bytes);
        if (n == 0 || (n < 0 && errno != EINTR))
            return true;
        if (n > 0)
            tr_text_addn(out, bytes, (size_t)n);
    }
}

static const char *why_it_ended(tr_arena *arena, int status)
{
    return WIFSIGNALED(status)
               ? tr_arena_printf(arena, "the checker died: %s", strsignal(WTERMSIG(status)))
               : "the checker came to nothing";
}

/* Reads what the child says, and waits for its end; NULL, or why it is not whole. */
static const char *hear(tr_arena *arena, pid_t child, int from, tr_text *out)
{
    int status = 0;
    const size_t before = out->length;
    const int64_t seconds = seconds_of_limit();
    const bool ended = read_all(from, tr_now_ms() + seconds * 1000, out);
    if (!ended)
        kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (!ended)
        return tr_arena_printf(arena, "the checker did not end within %lld s", (long long)seconds);
    if (out->length == before || out->data[out->length - 1] != WHOLE)
        return why_it_ended(arena, status);
    out->data[--out->length] = 0;
    return NULL;
}

bool apart_run(tr_arena *arena, void (*work)(void *user, tr_text *out), void *user, tr_text *out,
               const char **why)
{
    int ends[2];
    const size_t before = out->length;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        *why = tr_arena_printf(arena, "no process can be made: %s", strerror(errno));
        return false;
    }
    fflush(NULL);
    const pid_t parent = getpid(), child = fork();
    if (child == 0)
        work_and_end(work, user, parent, ends[1]);
    const int failed = errno;
    close(ends[1]);
    const char *wrong =
        child > 0 ? hear(arena, child, ends[0], out)
                  : tr_arena_printf(arena, "no process can be made: %s", strerror(failed));
    close(ends[0]);
    if (!wrong)
        return true;
    *why = wrong;
    if (out->length > before) { /* of what came to nothing, nothing is told */
        out->length = before;
        out->data[before] = 0;
    }
    return false;
}

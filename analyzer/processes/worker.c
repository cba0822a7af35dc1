#include "processes/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptors.h"
#include "processes/children.h"

/* A message of a worker: this, then so many bytes. */
typedef struct head {
    uint64_t word, length;
} head;

#define MOST_SAID ((uint64_t)1 << 30) /* in one message */

enum { PRINTS_KEPT = 4096, WATCH_STACK = 128 << 10 };

struct worker_line {
    int end;
};

struct worker {
    pid_t id;
    int line, prints;
    tr_text said; /* not yet heard, from `heard` on */
    size_t heard;
    bool gone;
    char printed[PRINTS_KEPT]; /* the last of it */
    size_t n_printed;
};

/* ---- Section: In the worker ---- */

__attribute__((noreturn)) static void end_worker(int code)
{
    children_kill(); /* solvers */
    _exit(code);
}

static bool write_all(int to, struct iovec *parts, size_t n)
{
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = n};
    while (message.msg_iovlen > 0) {
        ssize_t sent = sendmsg(to, &message, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return false;
        for (size_t left = (size_t)sent; message.msg_iovlen > 0;) {
            struct iovec *part = message.msg_iov;
            if (left < part->iov_len) {
                part->iov_base = (char *)part->iov_base + left;
                part->iov_len -= left;
                break;
            }
            left -= part->iov_len;
            message.msg_iov++;
            message.msg_iovlen--;
        }
    }
    return true;
}

void worker_say(const worker_line *line, worker_word word, const void *bytes, size_t length)
{
    head first = {word, length};
    struct iovec parts[2] = {{&first, sizeof first}, {(void *)(uintptr_t)bytes, length}};
    if (!write_all(line->end, parts, length > 0 ? 2 : 1))
        end_worker(1);
}

/* False: the parent has gone, or has no more to do. */
static bool next_task(int from, worker_task *task)
{
    return tr_read_all(from, task, sizeof *task, -1);
}

/* The parent's end of the line is closed by nobody but the end of the parent, or by its word. */
static void *watch_parent(void *user)
{
    const worker_line *line = user;
    struct pollfd end = {.fd = line->end, .events = POLLRDHUP};
    for (;;)
        if (poll(&end, 1, -1) > 0 && (end.revents & (POLLRDHUP | POLLHUP | POLLERR)))
            end_worker(0);
}

/* Ends this process when its parent ends. If no thread can be made to watch the parent, the kernel
 * sends a signal instead, which it does as soon as the thread ends that made this process. */
static void start_watching(worker_line *line, pid_t parent)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, WATCH_STACK);
    if (pthread_create(&thread, &attributes, watch_parent, line) == 0) {
        pthread_detach(thread);
    } else {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
    }
    pthread_attr_destroy(&attributes);
}

/* Sets the signal handlers as a fresh program has them, except for those that are ignored. */
static void forget_handlers(void)
{
    sigset_t none;
    for (int number = 1; number < NSIG; number++) {
        struct sigaction how;
        if (sigaction(number, NULL, &how) == 0 && how.sa_handler != SIG_IGN)
            signal(number, SIG_DFL); /* fails for those that cannot have a handler */
    }
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
}

enum { LINE = 3 }; /* the one descriptor besides the standard streams */

/* Both ends lie above the standard streams (make_line). */
static void lay_out(int line, int prints)
{
    int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(none, STDIN_FILENO);
    dup2(prints, STDOUT_FILENO);
#if !defined(__SANITIZE_ADDRESS__) /* whose reports are for people */
    dup2(prints, STDERR_FILENO);
#endif
    if (line != LINE)
        dup2(line, LINE);
    tr_close_from(LINE + 1);
    fcntl(LINE, F_SETFD, FD_CLOEXEC);
}

/* Returns the bytes that a process has of its own: heap, private mappings, stacks. Addresses that
 * are only reserved do not count, nor do programs and libraries, which all share. 0: not known. */
static uint64_t bytes_of_data(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%*u %*u %*u %*u %*u %llu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void worker_limit_data(uint64_t more)
{
    struct rlimit limit;
    rlim_t most = bytes_of_data() + more;
    if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur > most) {
        limit.rlim_cur = most;
        setrlimit(RLIMIT_DATA, &limit);
    }
}

static void set_limits(const worker_limits *limits)
{
    FILE *score = fopen("/proc/self/oom_score_adj", "we");
    if (score) {
        fputs("1000", score);
        fclose(score);
    }
    setrlimit(RLIMIT_CORE, &(const struct rlimit){0, 0});
    prctl(PR_SET_DUMPABLE, 0); /* a program that takes cores through a pipe heeds no limit */
    if (limits->memory > 0)
        worker_limit_data(limits->memory);
}

__attribute__((noreturn)) static void
be_worker(void (*work)(void *user, worker_task task, const worker_line *line), void *user,
          const worker_limits *limits, pid_t parent, int line, int prints)
{
    worker_line own = {LINE};
    worker_task task;
    setsid();
    forget_handlers();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    lay_out(line, prints);
    set_limits(limits);
    const uint64_t in_force = confine_process(limits->confined); /* before there are threads */
    worker_say(&own, WORKER_CONFINED, &in_force, sizeof in_force);
    start_watching(&own, parent);
    while (next_task(LINE, &task)) {
        work(user, task, &own);
        worker_say(&own, WORKER_DONE, NULL, 0);
    }
    end_worker(0);
}

/* ---- Section: In the parent ---- */

/* Descriptors below 3 would be overwritten when the worker's streams are laid out. */
static bool lift(int *end)
{
    if (*end > LINE)
        return true;
    int lifted = fcntl(*end, F_DUPFD_CLOEXEC, LINE + 1);
    if (lifted < 0)
        return false;
    close(*end);
    *end = lifted;
    return true;
}

static void close_both(const int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

static bool make_ends(int line[2], int prints[2])
{
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) != 0)
        return false;
    if (pipe2(prints, O_CLOEXEC) != 0)
        return false;
    return lift(&line[0]) && lift(&line[1]) && lift(&prints[0]) && lift(&prints[1]) &&
           fcntl(line[0], F_SETFL, O_NONBLOCK) == 0 && fcntl(prints[0], F_SETFL, O_NONBLOCK) == 0;
}

tr_give worker *worker_start(void (*work)(void *user, worker_task task, const worker_line *line),
                             void *user, const worker_limits *limits)
{
    int line[2] = {-1, -1}, prints[2] = {-1, -1};
    pid_t parent = getpid(), id = -1;
    worker *w = calloc(1, sizeof *w);
    if (!w)
        tr_no_memory();
    if (make_ends(line, prints))
        id = fork();
    if (id == 0)
        be_worker(work, user, limits, parent, line[1], prints[1]);
    if (id < 0) {
        int why = errno;
        close_both(line);
        close_both(prints);
        free(w);
        errno = why;
        return NULL;
    }
    close(line[1]);
    close(prints[1]);
    w->id = id;
    w->line = line[0];
    w->prints = prints[0];
    return w;
}

int worker_voice(const worker *w)
{
    return w->line;
}

int worker_prints(const worker *w)
{
    return w->prints;
}

/* A task is smaller than what any socket holds, and is given to a worker that waits for it. */
bool worker_give(worker *w, const worker_task *task)
{
    return send(w->line, task, sizeof *task, MSG_NOSIGNAL) == (ssize_t)sizeof *task;
}

/* Keeps the end of what is printed, which says why a library gave up. */
static void take_prints(worker *w)
{
    char piece[1024];
    for (int turn = 0; turn < 16 && w->prints >= 0; turn++) {
        ssize_t n = read(w->prints, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n <= 0) {
            close(w->prints);
            w->prints = -1;
            return;
        }
        size_t new = (size_t)n, room = sizeof w->printed - w->n_printed;
        if (new > room) {
            memmove(w->printed, w->printed + (new - room), w->n_printed - (new - room));
            w->n_printed -= new - room;
        }
        memcpy(w->printed + w->n_printed, piece, new);
        w->n_printed += new;
    }
}

static void forget_heard(worker *w)
{
    if (w->heard == 0)
        return;
    w->said.length -= w->heard;
    memmove(w->said.data, w->said.data + w->heard, w->said.length);
    w->heard = 0;
}

bool worker_listen(worker *w)
{
    char piece[1 << 14];
    take_prints(w);
    forget_heard(w);
    for (int turn = 0; turn < 16 && !w->gone; turn++) {
        ssize_t n = read(w->line, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            break;
        if (n <= 0)
            w->gone = true;
        else
            tr_text_addn(&w->said, piece, (size_t)n);
        if (n > 0 && (size_t)n < sizeof piece)
            break;
    }
    return !w->gone;
}

bool worker_hears(worker *w, worker_word *word, const char **bytes, size_t *length)
{
    head first;
    size_t there = w->said.length - w->heard;
    if (there < sizeof first)
        return false;
    memcpy(&first, w->said.data + w->heard, sizeof first);
    if (first.word > WORKER_DONE || first.length > MOST_SAID) {
        w->gone = true;
        return false;
    }
    if (there - sizeof first < first.length)
        return false;
    *word = (worker_word)first.word;
    *bytes = w->said.data + w->heard + sizeof first;
    *length = first.length;
    w->heard += sizeof first + first.length;
    return true;
}

/* Texts that we and the libraries print where memory ends. */
static bool tells_of_memory(const worker *w)
{
    static const char *const words[] = {"no memory is left", "out of memory", "bad_alloc",
                                        "Out of memory"};
    for (size_t i = 0; i < TR_COUNT(words); i++)
        if (memmem(w->printed, w->n_printed, words[i], strlen(words[i])))
            return true;
    return false;
}

static void release(tr_take worker *w)
{
    close(w->line);
    if (w->prints >= 0)
        close(w->prints);
    tr_text_free(&w->said);
    free(w);
}

int64_t worker_worked(const worker *w)
{
    return children_worked(w->id);
}

/* 0: nobody knows, since the program that we are part of ignores the ends of its children. */
static int reap(const worker *w)
{
    int status = 0;
    while (waitpid(w->id, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

void worker_dismiss(tr_take worker *w)
{
    if (!w)
        return;
    kill(w->id, SIGKILL);
    reap(w);
    release(w);
}

worker_end worker_stop(tr_take worker *w)
{
    children_kill_session(w->id);
    int status = reap(w);
    take_prints(w);
    worker_end how = {.process = (long)w->id,
                      .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                      .exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                      .no_memory = tells_of_memory(w)};
    release(w);
    return how;
}

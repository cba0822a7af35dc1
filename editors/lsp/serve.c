/* tilerace lsp: a server on standard input and output, with checks in processes beside it. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/descriptors.h"
#include "base/ds.h"
#include "base/process.h"
#include "driver/commands.h"
#include "lsp/child.h"
#include "lsp/inspect.h"
#include "lsp/lsp.h"
#include "processes/pool.h"
#include "session/session.h"
#include "solver/find_solver.h"

enum { PATIENCE_MS = 60 * 1000, LOOK_AT_CLIENT_MS = 3000, MOST_UNREAD = 256 << 20 };

typedef struct running {
    uint64_t number;
    child *child;
    tr_text told;
} running;

typedef struct serving {
    session *s;
    lsp_server *server;
    running *running; /* stb_ds array */
    const char *no_solver;
    int lost; /* errno, where the client can no longer be spoken to and has not just gone */
    int signals;
    bool client_reads;
} serving;

/* ---- Section: Checks ---- */

typedef struct inspection {
    const session *s;
    const lsp_task *task;
    int to;
} inspection;

static void write_all(int to, const char *bytes, size_t length)
{
    if (!tr_write_all(to, bytes, length))
        _exit(1);
}

static void write_line(void *user, const char *line)
{
    const inspection *in = user;
    write_all(in->to, line, strlen(line));
    write_all(in->to, "\n", 1);
}

static void inspect(void *user, size_t i)
{
    (void)i;
    inspection *in = user;
    inspect_document(in->s, in->task, write_line, in);
}

static void work(void *user, int to)
{
    inspection *in = user;
    in->to = to;
    pool_run(1, 1, inspect, in); /* for its stack: sources may nest deeply */
}

static bool start_check(void *user, uint64_t number, const lsp_task *task, const char **why)
{
    serving *sv = user;
    inspection in = {.s = sv->s, .task = task};
    if (sv->no_solver) {
        *why = sv->no_solver;
        return false;
    }
    int64_t patience = sv->s->options->timeout ? (int64_t)sv->s->options->timeout : PATIENCE_MS;
    running one = {.number = number};
    one.child = child_start(sv->s->arena, work, &in, patience, why);
    if (one.child)
        arrput(sv->running, one);
    return one.child != NULL;
}

static void drop(serving *sv, size_t which)
{
    child_free(sv->running[which].child);
    tr_text_free(&sv->running[which].told);
    arrdel(sv->running, which);
}

static void stop_check(void *user, uint64_t number)
{
    serving *sv = user;
    for (size_t i = arrlenu(sv->running); i-- > 0;)
        if (sv->running[i].number == number)
            drop(sv, i);
}

static char *stamp(void *user, const lsp_task *task)
{
    (void)user;
    tr_arena *arena = tr_arena_new();
    char *kept = strdup(inspect_stamp(arena, task));
    tr_arena_free(arena);
    return kept;
}

/* Hands over whole lines. */
static void tell_lines(serving *sv, running *one)
{
    size_t from = 0;
    const char *text = tr_text_get(&one->told), *end;
    while ((end = memchr(text + from, '\n', one->told.length - from))) {
        size_t to = (size_t)(end - text);
        lsp_server_told(sv->server, one->number, text + from, to - from);
        from = to + 1;
    }
    if (from > 0) {
        tr_text left = {0};
        tr_text_addn(&left, text + from, one->told.length - from);
        tr_text_free(&one->told);
        one->told = left;
    }
}

static void end_check(serving *sv, size_t which, const char *why)
{
    uint64_t number = sv->running[which].number;
    drop(sv, which);
    lsp_server_ended(sv->server, number, why);
}

static void read_check(serving *sv, uint64_t number)
{
    for (size_t i = 0; i < arrlenu(sv->running); i++) {
        running *one = &sv->running[i];
        if (one->number != number)
            continue;
        tr_arena *arena = tr_arena_new();
        const char *why = NULL;
        bool goes_on = child_read(one->child, &one->told, arena, &why);
        tell_lines(sv, one);
        if (!goes_on)
            end_check(sv, i, why);
        tr_arena_free(arena);
        return;
    }
}

static void end_late_checks(serving *sv, int64_t now)
{
    for (size_t i = arrlenu(sv->running); i-- > 0;)
        if (child_deadline(sv->running[i].child) <= now)
            end_check(sv, i, "the check took too long");
}

/* ---- Section: The client ---- */

/* False: it is over. Why is said at the end, unless the client has just gone. */
static bool goes_on_after(serving *sv, int error)
{
    if (error == EINTR || error == EAGAIN)
        return true;
    sv->lost = error == EPIPE || error == ECONNRESET ? 0 : error;
    return false;
}

/* False: it has gone. */
static bool read_client(serving *sv)
{
    static const size_t size = 1 << 16;
    char *bytes = malloc(size);
    if (!bytes)
        tr_no_memory();
    ssize_t n = read(STDIN_FILENO, bytes, size);
    int error = errno;
    if (n > 0)
        lsp_server_take(sv->server, bytes, (size_t)n, tr_now_ms());
    free(bytes);
    return n > 0 || (n < 0 && goes_on_after(sv, error));
}

/* Writes as much as a pipe is certain to take at once, so that a client that does not read stops
 * nothing else. False: it has gone. */
static bool write_client(serving *sv)
{
    tr_text *out = lsp_server_output(sv->server);
    size_t piece = out->length < 4096 ? out->length : 4096;
    ssize_t n = write(STDOUT_FILENO, out->data, piece);
    if (n < 0)
        return goes_on_after(sv, errno);
    memmove(out->data, out->data + n, out->length - (size_t)n);
    out->length -= (size_t)n;
    out->data[out->length] = '\0';
    return out->length <= MOST_UNREAD;
}

static bool client_lives(const serving *sv)
{
    int64_t client = lsp_server_client(sv->server);
    return client <= 0 || kill((pid_t)client, 0) == 0 || errno != ESRCH;
}

/* ---- Section: Going round ---- */

static int64_t wait_until(const serving *sv, int64_t now)
{
    int64_t until = now + LOOK_AT_CLIENT_MS, due = lsp_server_due(sv->server);
    until = due < until ? due : until;
    for (size_t i = 0; i < arrlenu(sv->running); i++)
        if (child_deadline(sv->running[i].child) < until)
            until = child_deadline(sv->running[i].child);
    return until > now ? until - now : 0;
}

/* False: it is over. */
static bool go_round(serving *sv)
{
    enum { OWN = 3 };
    struct pollfd *ends = NULL;
    uint64_t *numbers = NULL;
    bool has_output = lsp_server_output(sv->server)->length > 0, goes_on = true;
    arrput(ends, ((struct pollfd){.fd = STDIN_FILENO, .events = POLLIN}));
    arrput(ends, ((struct pollfd){.fd = has_output ? STDOUT_FILENO : -1, .events = POLLOUT}));
    arrput(ends, ((struct pollfd){.fd = sv->signals, .events = POLLIN}));
    for (size_t i = 0; i < arrlenu(sv->running); i++) {
        arrput(ends, ((struct pollfd){.fd = child_output(sv->running[i].child), .events = POLLIN}));
        arrput(numbers, sv->running[i].number);
    }
    int ready = poll(ends, arrlenu(ends), (int)wait_until(sv, tr_now_ms()));
    if (ready < 0)
        goes_on = goes_on_after(sv, errno);
    if (ready == 0)
        goes_on = client_lives(sv);
    if (ready > 0 && ends[2].revents)
        goes_on = false;
    if (ready > 0 && goes_on && ends[1].revents)
        goes_on = write_client(sv);
    for (size_t i = 0; ready > 0 && goes_on && i < arrlenu(numbers); i++)
        if (ends[OWN + i].revents)
            read_check(sv, numbers[i]);
    if (ready > 0 && goes_on && ends[0].revents)
        goes_on = read_client(sv);
    end_late_checks(sv, tr_now_ms());
    lsp_server_run(sv->server, tr_now_ms());
    arrfree(ends);
    arrfree(numbers);
    return goes_on && !lsp_server_is_over(sv->server);
}

/* Writes what was said before the end, for instance that the server shuts down. */
static void write_rest(serving *sv)
{
    enum { WAIT_MS = 500 };
    struct pollfd end = {.fd = STDOUT_FILENO, .events = POLLOUT};
    while (lsp_server_output(sv->server)->length > 0 && poll(&end, 1, WAIT_MS) > 0 &&
           !(end.revents & (POLLERR | POLLNVAL)) && write_client(sv))
        continue;
}

static int open_signals(sigset_t *before)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGHUP);
    sigprocmask(SIG_BLOCK, &ends, before);
    int fd = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0) /* then they end the server as they come */
        sigprocmask(SIG_SETMASK, before, NULL);
    return fd;
}

/* The parts that every check needs are looked for once, and a missing one is reported when a client
 * is there. */
static void prepare(serving *sv)
{
    const char *why = NULL;
    if (!dialect_can_read(&why)) /* loads it, so that no check has to */
        lsp_server_warn(sv->server,
                        tr_arena_printf(sv->s->arena, "C sources cannot be read: %s", why));
    if (sv->s->options->solver)
        sv->s->solver = sv->s->options->solver;
    else if (!(sv->s->solver = smt_find_solver(sv->s->arena, &why)))
        sv->no_solver = why;
}

int command_lsp(session *s)
{
    serving sv = {.s = s};
    const lsp_checks checks = {&sv, start_check, stop_check, stamp};
    sigset_t before;
    if (s->options->solver && session_find_solver(s) != EXIT_CLEAN)
        return EXIT_BAD;
    sv.signals = open_signals(&before);
    sv.server = lsp_server_new(&checks, pool_processors());
    prepare(&sv);
    while (go_round(&sv))
        continue;
    write_rest(&sv);
    bool good = lsp_server_was_shut_down(sv.server);
    if (sv.lost)
        session_complain(s, "the client can no longer be spoken to: %s", strerror(sv.lost));
    lsp_server_free(sv.server);
    while (arrlenu(sv.running) > 0)
        drop(&sv, 0);
    arrfree(sv.running);
    struct signalfd_siginfo taken; /* what ended the server is dealt with */
    while (read(sv.signals, &taken, sizeof taken) == sizeof taken)
        continue;
    close(sv.signals);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return good ? EXIT_CLEAN : EXIT_FINDINGS;
}

#include "judge/server.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ds.h"
#include "base/process.h"
#include "json/take.h"
#include "judge/judge.h"
#include "lsp/json.h"
#include "processes/pool.h"
#include "session/session.h"

/* While more requests than this wait, no more input is read, so whoever writes has to wait, too. */
enum { MOST_WAITING = 1024, MOST_WAITING_BYTES = 64 << 20, MOST_UNREAD = 16 << 20 };

enum { DEFAULT_MEMORY_MB = 4096, DEFAULT_MS = 60 * 1000 };

typedef struct by_id {
    char *key; /* JSON */
    server_request value;
} by_id;

typedef struct by_number {
    uint64_t key;
    const char *value; /* the id */
} by_number;

struct server {
    session *s;
    const protocol *p;
    const judge_door *door;
    crew *crew;
    lines_in in;
    lines_out out;
    by_id *requests;    /* stb_ds map */
    by_number *numbers; /* stb_ds map */
    uint64_t last;      /* number of a request */
    unsigned state;
};

uint64_t server_line(const server *s)
{
    return s->in.number;
}

unsigned *server_state(server *s)
{
    return &s->state;
}

void server_say(server *s, const char *text, size_t length)
{
    tr_text_addn(&s->out.held, text, length);
    tr_text_add(&s->out.held, "\n");
}

bool server_is_id(const cJSON *id)
{
    return cJSON_IsString(id) || (cJSON_IsNumber(id) && id->valuedouble == floor(id->valuedouble) &&
                                  fabs(id->valuedouble) <= 9007199254740992.0);
}

const char *server_no_method(tr_arena *arena, const char *name)
{
    const char *near = method_nearest(name);
    return near ? tr_arena_printf(arena, "there is no method '%s'; did you mean '%s'?", name, near)
                : tr_arena_printf(arena, "there is no method '%s'", name);
}

/* ---- Section: Requests ---- */

/* Takes the request out of the tables; what it points to is the caller's, for release. */
static server_request take_out(server *s, const char *id)
{
    server_request r = shget(s->requests, id);
    r.id = tr_allocate(strlen(id) + 1);
    memcpy((char *)(uintptr_t)r.id, id, strlen(id) + 1);
    hmdel(s->numbers, r.number);
    shdel(s->requests, id);
    return r;
}

static void release(server_request *r)
{
    cJSON_free((char *)(uintptr_t)r->progress);
    free((char *)(uintptr_t)r->id);
}

void server_ask(server *s, const cJSON *id, method_id which, const cJSON *params,
                const cJSON *progress, unsigned revision)
{
    char *id_text = lsp_json_print(id), *text = params ? lsp_json_print(params) : NULL;
    if (shgeti(s->requests, id_text) >= 0) {
        s->p->refused(s, id_text, SERVE_DUPLICATE_ID, "a request with this id is not answered yet");
    } else {
        server_request r = {.number = ++s->last,
                            .method = which,
                            .progress = progress ? lsp_json_print(progress) : NULL,
                            .revision = revision};
        shput(s->requests, id_text, r);
        const char *kept = s->requests[shgeti(s->requests, id_text)].key;
        s->requests[shgeti(s->requests, id_text)].value.id = kept;
        hmput(s->numbers, r.number, kept);
        const crew_job job = {.number = r.number,
                              .kind = which,
                              .goes_on = method_of(which)->goes_on,
                              .length = text ? strlen(text) : 2,
                              .text = text ? text : "{}"};
        if (!crew_add(s->crew, &job)) { /* what was escaped in the line may be longer than it */
            server_request gone = take_out(s, kept);
            s->p->failed(s, &gone, SERVE_TOO_LARGE, "the request is too large");
            release(&gone);
        }
    }
    cJSON_free(id_text);
    cJSON_free(text);
}

bool server_cancel(server *s, const cJSON *id)
{
    char *id_text = lsp_json_print(id);
    bool is_open = shgeti(s->requests, id_text) >= 0;
    if (is_open) {
        server_request r = take_out(s, id_text);
        crew_cancel(s->crew, r.number);
        release(&r);
    }
    cJSON_free(id_text);
    return is_open;
}

/* ---- Section: What the crew says ---- */

static void answered(void *user, uint64_t number, unsigned said, const char *answer, size_t length)
{
    server *s = user;
    server_request r = take_out(s, hmget(s->numbers, number));
    if (said == SERVE_GOOD && length > s->p->most_result)
        s->p->failed(s, &r, SERVE_TOO_LARGE, "the result is too large: ask for less at once");
    else if (said == SERVE_GOOD)
        s->p->answered(s, &r, answer, length);
    else {
        char *why = tr_allocate(length + 1);
        memcpy(why, answer, length);
        why[length] = 0;
        s->p->failed(s, &r, said < SERVE_ERROR_COUNT ? (serve_error)said : SERVE_CRASHED, why);
        free(why);
    }
    release(&r);
}

/* Answers a request whose process has ended, with the limit that it exceeded or the way it ended.
 */
static void died(void *user, uint64_t number, const judge_death *last)
{
    server *s = user;
    server_request r = take_out(s, hmget(s->numbers, number));
    tr_arena *arena = tr_arena_new();
    const char *what = tr_arena_printf(arena, "'%s'", method_of(r.method)->name);
    if (!last)
        s->p->failed(s, &r, SERVE_CRASHED, "no process can be made");
    else if (last->kind == JUDGE_DEATH_TIME)
        s->p->failed(
            s, &r, SERVE_LIMIT,
            tr_arena_printf(arena, "%s takes more than %g s", what, (double)last->value / 1e3));
    else if (last->kind == JUDGE_DEATH_MEMORY)
        s->p->failed(s, &r, SERVE_LIMIT,
                     tr_arena_printf(arena, "%s takes more than %llu MB of memory", what,
                                     (unsigned long long)last->value));
    else if (last->value)
        s->p->failed(s, &r, SERVE_CRASHED,
                     tr_arena_printf(arena, "the process that did %s ended by signal %llu (%s)",
                                     what, (unsigned long long)last->value,
                                     strsignal((int)last->value)));
    else
        s->p->failed(s, &r, SERVE_CRASHED,
                     tr_arena_printf(arena, "the process that did %s ended", what));
    tr_arena_free(arena);
    release(&r);
}

static void at(void *user, uint64_t number, uint64_t combination, judge_phase phase)
{
    server *s = user;
    ptrdiff_t i = shgeti(s->requests, hmget(s->numbers, number));
    if (i >= 0 && s->requests[i].value.progress)
        s->p->at(s, &s->requests[i].value, combination, phase);
}

/* ---- Section: In the processes ---- */

static unsigned do_job(void *user, const crew_job *job, const judge_watch *watch, tr_text *answer)
{
    const server *s = user;
    return method_do(s->s, s->door, (method_id)job->kind, job->text, job->length, watch, answer);
}

static void warm(void *user)
{
    const server *s = user;
    method_warm(s->s);
}

/* ---- Section: The loop ---- */

static void take_line(server *s, line_kind kind, const char *line, size_t length)
{
    tr_arena *arena = tr_arena_new();
    if (kind == LINE_TOO_LONG) {
        s->p->refused(s, SERVER_NO_ID, SERVE_TOO_LARGE,
                      tr_arena_printf(arena, "line %llu is longer than %d MiB",
                                      (unsigned long long)s->in.number, CREW_MOST_JOB >> 20));
    } else if (strspn(line, " \t\r") < length) {
        json_fault fault;
        cJSON *message = json_take(arena, line, length, JSON_ALL_DIGITS, &fault);
        unsigned long long number = s->in.number;
        if (message)
            s->p->message(s, message);
        else if (fault.kind == JSON_IS_NONE)
            s->p->refused(s, SERVER_NO_ID, SERVE_NOT_JSON,
                          tr_arena_printf(arena, "line %llu is not JSON", number));
        else
            s->p->refused(
                s, SERVER_NO_ID, SERVE_NOT_JSON,
                tr_arena_printf(arena, "line %llu: %s", number, json_fault_text(arena, &fault)));
        cJSON_Delete(message);
    }
    tr_arena_free(arena);
}

static bool is_full(const server *s)
{
    return crew_count(s->crew) >= MOST_WAITING || crew_bytes(s->crew) >= MOST_WAITING_BYTES ||
           lines_left(&s->out) >= MOST_UNREAD;
}

static void take_lines(server *s)
{
    const char *line;
    size_t length;
    for (line_kind kind; !is_full(s) && (kind = lines_next(&s->in, &line, &length)) != LINE_NONE;)
        take_line(s, kind, line, length);
}

static void wait_for_news(server *s, struct pollfd *entries)
{
    int64_t due = crew_due(s->crew), left = due == INT64_MAX ? -1 : due - tr_now_ms();
    bool reads = !s->in.has_ended && !is_full(s);
    entries[0] = (struct pollfd){.fd = reads ? s->in.fd : -1, .events = POLLIN};
    entries[1] = (struct pollfd){.fd = s->out.fd, .events = lines_left(&s->out) ? POLLOUT : 0};
    size_t n = 2 + crew_polled(s->crew, entries + 2);
    poll(entries, n, left > INT_MAX ? INT_MAX : left < -1 ? 0 : (int)left);
    if (entries[0].revents)
        lines_read(&s->in);
    if (entries[1].revents & POLLOUT)
        lines_write(&s->out);
    else if (entries[1].revents & (POLLERR | POLLHUP | POLLNVAL))
        s->out.is_gone = true; /* nobody reads any more: nothing is worth doing */
}

static bool is_over(const server *s)
{
    return s->out.is_gone ||
           (lines_are_over(&s->in) && crew_count(s->crew) == 0 && lines_left(&s->out) == 0);
}

static void loop(server *s, size_t n)
{
    struct pollfd *entries = tr_allocate((2 + 2 * n) * sizeof *entries);
    while (!is_over(s)) {
        take_lines(s);
        if (lines_left(&s->out) < MOST_UNREAD)
            crew_hand_out(s->crew);
        wait_for_news(s, entries);
        crew_turn(s->crew);
    }
    free(entries);
}

/* Answers alone go to standard output, whatever a library prints there. -1 after a complaint. */
static int take_output(session *s)
{
    int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        session_complain(s, "standard output cannot be used");
        return -1;
    }
    return out;
}

static const judge_door *open_door(session *s)
{
    const driver_options *o = s->options;
    const char *const working[] = {"."};
    const char *why = NULL;
    const judge_door *door = o->root.n ? judge_door_make(s->arena, o->root.n, o->root.items, &why)
                                       : judge_door_make(s->arena, 1, working, &why);
    if (!door)
        session_complain(s, "%s", why);
    return door;
}

/* Ends the server. A client that closed the output knows why no more answers come. */
static int conclude(const server *s)
{
    if (s->out.error && s->out.error != EPIPE)
        return session_complain(s->s, "standard output cannot be written: %s",
                                strerror(s->out.error));
    if (s->in.error)
        return session_complain(s->s, "standard input cannot be read: %s", strerror(s->in.error));
    return s->out.is_gone ? EXIT_BAD : EXIT_CLEAN;
}

int server_run(session *s, const protocol *p)
{
    const driver_options *o = s->options;
    size_t n = o->jobs ? o->jobs : pool_processors();
    server own = {.s = s, .p = p, .door = open_door(s)};
    if (!own.door || session_find_solver(s) != EXIT_CLEAN)
        return EXIT_BAD;
    own.in = (lines_in){.fd = STDIN_FILENO, .most = CREW_MOST_JOB};
    own.out.fd = take_output(s);
    if (own.out.fd < 0)
        return EXIT_BAD;
    sh_new_strdup(own.requests);
    const crew_tasks tasks = {&own, do_job, warm};
    const crew_ears ears = {&own, answered, at, died};
    const crew_limits limits = {(uint64_t)(o->memory ? o->memory : DEFAULT_MEMORY_MB) << 20,
                                o->timeout ? (int64_t)o->timeout : DEFAULT_MS,
                                judge_confinement(s)};
    own.crew = crew_new(&tasks, &ears, n, &limits);
    loop(&own, n);
    crew_free(own.crew);
    for (ptrdiff_t i = 0; i < shlen(own.requests); i++)
        cJSON_free((char *)(uintptr_t)own.requests[i].value.progress);
    shfree(own.requests);
    hmfree(own.numbers);
    lines_free(&own.in);
    tr_text_free(&own.out.held);
    return conclude(&own);
}

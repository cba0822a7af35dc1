#include "judge/crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/ds.h"
#include "base/process.h"

/* After MOST_JOBS jobs a process is replaced by a fresh one, to be rid of memory that libraries
 * keep. */
enum { MOST_JOBS = 512, WARMING = UINT16_MAX };

/* A limit is one of processor time, so that what is found does not depend on how busy a machine is.
 * What gets none, or little, is waited for that many times as long by the clock; and not even that
 * where it does next to nothing: less than one part in IDLE of the time. */
enum { WALL = 10, IDLE = 50, LEAST_WAIT_MS = 50 };

/* A job as the process sees it, in memory that both see: a message of 16 MiB is not sent through a
 * socket. */
typedef struct shared_job {
    unsigned kind;
    size_t length, n_deaths;
    judge_death deaths[CREW_MOST_DEATHS];
    char text[];
} shared_job;

/* The words that a process says: STEP, a told_phase; ROSTER, told_limits; PART, a number and the
 * answer behind it. */
typedef struct told_phase {
    uint64_t combination, phase;
} told_phase;

typedef struct told_limits {
    uint64_t ms, megabytes;
} told_limits;

typedef struct waiting {
    crew_job job;
    char *text; /* owned: job.text */
    size_t n_deaths;
    judge_death deaths[CREW_MOST_DEATHS];
} waiting;

typedef struct seat {
    const crew *of;
    worker *w; /* NULL: there is none */
    shared_job *shared;
    bool busy, is_warming, is_cold; /* cold: the last one died while it warmed up */
    waiting job;
    uint64_t limit_ms, limit_mb; /* of this job; 0: those of the crew */
    bool has_phase;
    told_phase phase;
    int64_t began, worked; /* when the phase did, and the processor time that was used by then */
    int64_t deadline;      /* when to look again at what has been used */
    char *answer;          /* stb_ds array; behind `said` */
    size_t n_done, n_started;
} seat;

struct crew {
    crew_tasks tasks;
    crew_ears ears;
    crew_limits limits;
    size_t n_seats;
    seat *seats;
    waiting *queue; /* stb_ds array, in order */
    size_t bytes;   /* of the texts in it */
    size_t first;   /* of the queue that is there */
};

/* ---- Section: In the process ---- */

static void say_phase(void *user, uint64_t combination, judge_phase phase)
{
    const told_phase told = {combination, phase};
    worker_say(user, WORKER_STEP, &told, sizeof told);
}

static void say_limits(void *user, uint64_t ms, uint64_t megabytes)
{
    const told_limits told = {ms, megabytes};
    worker_say(user, WORKER_ROSTER, &told, sizeof told);
    if (megabytes > 0)
        worker_limit_data(megabytes << 20); /* of this job: do_job lifts it again */
}

/* Does the shared job in a worker. Its answer begins with the number that the task returned. */
static void do_job(void *user, worker_task task, const worker_line *line)
{
    const seat *own = user;
    /* Otherwise libclang would go on after a crash, or without memory, in an unknown state. */
    setenv("LIBCLANG_DISABLE_CRASH_RECOVERY", "1", 1);
    const shared_job *shared = own->shared;
    const crew_tasks *tasks = &own->of->tasks;
    if (shared->kind == WARMING) {
        tasks->warm(tasks->user);
        return;
    }
    const crew_job job = {.number = task.number,
                          .kind = shared->kind,
                          .length = shared->length,
                          .text = shared->text};
    const judge_watch watch = {.user = (void *)(uintptr_t)line,
                               .at = say_phase,
                               .limit = say_limits,
                               .n_deaths = shared->n_deaths,
                               .deaths = shared->deaths};
    struct rlimit data;
    bool is_limited = getrlimit(RLIMIT_DATA, &data) == 0;
    tr_text answer = {0};
    tr_text_addn(&answer, (const char[sizeof(unsigned)]){0}, sizeof(unsigned));
    unsigned said = tasks->run(tasks->user, &job, &watch, &answer);
    memcpy(answer.data, &said, sizeof said);
    if (is_limited)
        setrlimit(RLIMIT_DATA, &data);
    worker_say(line, WORKER_PART, answer.data, answer.length);
    tr_text_free(&answer);
}

/* ---- Section: Jobs that wait ---- */

static size_t n_waiting(const crew *c)
{
    return arrlenu(c->queue) - c->first;
}

static void forget(waiting *w)
{
    free(w->text);
    *w = (waiting){0};
}

static waiting take_first(crew *c)
{
    waiting w = c->queue[c->first++];
    c->bytes -= w.job.length;
    if (c->first == arrlenu(c->queue)) {
        arrsetlen(c->queue, 0);
        c->first = 0;
    }
    return w;
}

bool crew_add(crew *c, const crew_job *job)
{
    if (job->length > CREW_MOST_JOB)
        return false;
    waiting w = {.job = *job, .text = tr_allocate(job->length + 1)};
    memcpy(w.text, job->text, job->length);
    w.text[job->length] = 0;
    w.job.text = w.text;
    arrput(c->queue, w);
    c->bytes += job->length;
    return true;
}

size_t crew_bytes(const crew *c)
{
    return c->bytes;
}

size_t crew_count(const crew *c)
{
    size_t n = n_waiting(c);
    for (size_t i = 0; i < c->n_seats; i++)
        n += c->seats[i].busy && !c->seats[i].is_warming;
    return n;
}

/* ---- Section: Processes ---- */

static int64_t patience(const seat *s)
{
    int64_t own = (int64_t)s->limit_ms, all = s->of->limits.ms;
    return own > 0 && own < all ? own : all;
}

static void begin_phase(seat *s)
{
    s->began = tr_now_ms();
    s->worked = worker_worked(s->w);
    s->deadline = s->began + patience(s);
}

/* The time by the clock is up. Is that of the processor, too? Else it is waited for what is left of
 * it. */
static bool is_late(seat *s)
{
    int64_t limit = patience(s), now = tr_now_ms(), passed = now - s->began;
    int64_t worked = worker_worked(s->w) - s->worked, left = limit - worked;
    if (left <= 0 || passed >= WALL * limit || worked * IDLE < passed)
        return true;
    s->deadline = now + (left > LEAST_WAIT_MS ? left : LEAST_WAIT_MS);
    if (s->deadline > s->began + WALL * limit)
        s->deadline = s->began + WALL * limit;
    return false;
}

static void become_idle(seat *s)
{
    s->busy = s->is_warming = s->has_phase = false;
    s->limit_ms = s->limit_mb = 0;
    arrfree(s->answer);
    forget(&s->job);
}

static void give(seat *s, unsigned kind, uint64_t number)
{
    const worker_task task = {.number = number};
    s->shared->kind = kind;
    s->busy = true;
    s->has_phase = false;
    begin_phase(s);
    worker_give(s->w, &task); /* where it is gone already, that is heard */
}

static void give_job(seat *s)
{
    shared_job *to = s->shared;
    memcpy(to->text, s->job.text, s->job.job.length + 1);
    to->length = s->job.job.length;
    to->n_deaths = s->job.n_deaths;
    memcpy(to->deaths, s->job.deaths, sizeof to->deaths);
    give(s, s->job.job.kind, s->job.job.number);
}

static bool start(crew *c, seat *s)
{
    const worker_limits limits = {.memory = c->limits.memory, .confined = c->limits.confined};
    s->w = worker_start(do_job, s, &limits);
    s->n_done = 0;
    s->n_started++;
    return s->w != NULL;
}

/* Warms up while it has nothing to do. */
static void warm_up(crew *c, seat *s)
{
    if (!c->tasks.warm || s->is_cold || s->busy || (!s->w && !start(c, s)))
        return;
    s->is_warming = true;
    give(s, WARMING, 0);
}

static void dismiss(seat *s)
{
    worker_dismiss(s->w);
    s->w = NULL;
    become_idle(s);
}

/* ---- Section: What a process says ---- */

static void finish(crew *c, seat *s)
{
    uint64_t number = s->job.job.number;
    unsigned said;
    if (s->is_warming) {
        become_idle(s);
        return;
    }
    if (arrlenu(s->answer) < sizeof said) {
        c->ears.died(c->ears.user, number, NULL);
    } else {
        memcpy(&said, s->answer, sizeof said);
        c->ears.answered(c->ears.user, number, said, s->answer + sizeof said,
                         arrlenu(s->answer) - sizeof said);
    }
    become_idle(s);
    if (++s->n_done >= MOST_JOBS) {
        dismiss(s);
        warm_up(c, s);
    }
}

/* False: no process of ours says that. */
static bool take_message(crew *c, seat *s, worker_word word, const char *bytes, size_t length)
{
    told_limits limits;
    if (!s->busy)
        return word == WORKER_CONFINED;
    switch (word) {
    case WORKER_CONFINED:
        return true;
    case WORKER_STEP:
        if (length != sizeof s->phase)
            return false;
        memcpy(&s->phase, bytes, sizeof s->phase);
        if (s->phase.phase >= JUDGE_PHASE_COUNT)
            return false;
        s->has_phase = true;
        begin_phase(s);
        if (c->ears.at)
            c->ears.at(c->ears.user, s->job.job.number, s->phase.combination,
                       (judge_phase)s->phase.phase);
        return true;
    case WORKER_ROSTER:
        if (length != sizeof limits)
            return false;
        memcpy(&limits, bytes, sizeof limits);
        s->limit_ms = limits.ms;
        s->limit_mb = limits.megabytes;
        return true;
    case WORKER_PART:
        if (length > CREW_MOST_ANSWER + sizeof(unsigned))
            return false;
        arrsetlen(s->answer, length);
        memcpy(s->answer, bytes, length);
        return true;
    case WORKER_DONE:
        finish(c, s);
        return true;
    case WORKER_KERNEL:
    case WORKER_KEEP:
        break;
    }
    return false;
}

/* ---- Section: Deaths ---- */

static judge_death death_of(const crew *c, const seat *s, const worker_end *how, bool was_late)
{
    uint64_t own = s->limit_mb << 20, most = c->limits.memory;
    judge_death d = {.combination = s->phase.combination, .phase = (judge_phase)s->phase.phase};
    if (was_late) {
        d.kind = JUDGE_DEATH_TIME;
        d.value = (uint64_t)patience(s);
    } else if (how->no_memory) {
        d.kind = JUDGE_DEATH_MEMORY;
        d.value = (own > 0 && own < most ? own : most) >> 20;
    } else {
        d.kind = JUDGE_DEATH_SIGNAL;
        d.value = (uint64_t)how->signal;
    }
    return d;
}

/* The process is gone, or has to go. */
static void replace(crew *c, seat *s, bool was_late)
{
    worker_end how = worker_stop(s->w);
    judge_death d = death_of(c, s, &how, was_late);
    s->w = NULL;
    if (s->is_warming)
        s->is_cold = true;
    if (!s->busy || s->is_warming) {
        become_idle(s);
        return;
    }
    waiting job = s->job;
    s->job = (waiting){0};
    bool goes_on = job.job.goes_on && s->has_phase && job.n_deaths < CREW_MOST_DEATHS;
    become_idle(s);
    if (goes_on)
        job.deaths[job.n_deaths++] = d;
    if (goes_on && start(c, s)) {
        s->job = job;
        give_job(s);
        return;
    }
    c->ears.died(c->ears.user, job.job.number, &d);
    forget(&job);
    warm_up(c, s);
}

bool crew_cancel(crew *c, uint64_t number)
{
    for (size_t i = c->first; i < arrlenu(c->queue); i++)
        if (c->queue[i].job.number == number) {
            c->bytes -= c->queue[i].job.length;
            forget(&c->queue[i]);
            arrdel(c->queue, i);
            return true;
        }
    for (size_t i = 0; i < c->n_seats; i++) {
        seat *s = &c->seats[i];
        if (!s->busy || s->is_warming || s->job.job.number != number)
            continue;
        worker_stop(s->w);
        s->w = NULL;
        become_idle(s);
        warm_up(c, s);
        return true;
    }
    return false;
}

/* ---- Section: The run ---- */

static void *shared_memory(size_t size)
{
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        tr_no_memory();
    return memory;
}

enum { SHARED = sizeof(shared_job) + CREW_MOST_JOB + 1 };

tr_give crew *crew_new(const crew_tasks *tasks, const crew_ears *ears, size_t n,
                       const crew_limits *limits)
{
    crew *c = tr_allocate(sizeof *c);
    *c = (crew){.tasks = *tasks, .ears = *ears, .limits = *limits, .n_seats = n};
    c->seats = tr_allocate(n * sizeof *c->seats);
    for (size_t i = 0; i < n; i++)
        c->seats[i] = (seat){.of = c, .shared = shared_memory(SHARED)};
    for (size_t i = 0; i < n; i++)
        warm_up(c, &c->seats[i]);
    return c;
}

void crew_free(tr_take crew *c)
{
    for (size_t i = 0; i < c->n_seats; i++) {
        if (c->seats[i].w)
            worker_stop(c->seats[i].w); /* with its solver */
        become_idle(&c->seats[i]);
        munmap(c->seats[i].shared, SHARED);
    }
    for (size_t i = c->first; i < arrlenu(c->queue); i++)
        forget(&c->queue[i]);
    arrfree(c->queue);
    free(c->seats);
    free(c);
}

void crew_hand_out(crew *c)
{
    for (size_t i = 0; i < c->n_seats && n_waiting(c) > 0; i++) {
        seat *s = &c->seats[i];
        if (s->busy || (!s->w && !start(c, s)))
            continue;
        s->job = take_first(c);
        give_job(s);
    }
    bool any = false;
    for (size_t i = 0; i < c->n_seats; i++)
        any = any || c->seats[i].w;
    while (!any && n_waiting(c) > 0) { /* the system gives no process */
        waiting w = take_first(c);
        c->ears.died(c->ears.user, w.job.number, NULL);
        forget(&w);
    }
}

size_t crew_polled(const crew *c, struct pollfd *entries)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_seats; i++) {
        const seat *s = &c->seats[i];
        if (!s->w)
            continue;
        entries[n++] = (struct pollfd){.fd = worker_voice(s->w), .events = POLLIN};
        entries[n++] = (struct pollfd){.fd = worker_prints(s->w), .events = POLLIN};
    }
    return n;
}

int64_t crew_due(const crew *c)
{
    int64_t due = INT64_MAX;
    for (size_t i = 0; i < c->n_seats; i++)
        if (c->seats[i].busy && c->seats[i].deadline < due)
            due = c->seats[i].deadline;
    return due;
}

static void hear(crew *c, seat *s)
{
    worker_word word;
    const char *bytes;
    size_t length;
    size_t which = s->n_started; /* by what it says, it may be exchanged for a fresh one */
    bool is_there = worker_listen(s->w);
    while (s->w && s->n_started == which && worker_hears(s->w, &word, &bytes, &length))
        if (!take_message(c, s, word, bytes, length)) {
            is_there = false;
            break;
        }
    if (s->w && s->n_started == which && !is_there)
        replace(c, s, false);
}

void crew_turn(crew *c)
{
    for (size_t i = 0; i < c->n_seats; i++) {
        seat *s = &c->seats[i];
        if (s->w)
            hear(c, s);
        if (s->w && s->busy && tr_now_ms() >= s->deadline && is_late(s))
            replace(c, s, true);
    }
}

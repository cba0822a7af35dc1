#include "checking/workers.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/process.h"
#include "base/unfinished.h"
#include "cache/cache.h"
#include "checking/affected.h"
#include "checking/checking.h"
#include "processes/pool.h"
#include "processes/worker.h"
#include "session/progress.h"

/* Most workers that may die on one file: after the last death the file is not checked. */
enum { MOST_DEATHS = 3 };

enum { DEFAULT_MEMORY_MB = 4096, DEFAULT_PATIENCE_MS = 300 * 1000 };

typedef struct worker_seat { /* a worker, and the file that it checks */
    worker *w;               /* owned; NULL: none was made, or it died */
    bool busy;               /* it has a file: the other fields are about that file */
    size_t file;
    size_t from;           /* the first kernel that is not decided */
    bool at_kernel;        /* kernel `from` is being checked */
    int64_t deadline;      /* for reading the file, or for the kernel */
    unsigned deaths;       /* workers that have died on this file */
    tr_text parts;         /* packed: the parts of the result that have come so far */
    tr_arena *names;       /* owned: memory of `kernels`; NULL until the worker has sent them */
    checked_input kernels; /* the roster: the kernels of the file before they are checked */
} worker_seat;

typedef struct workers {
    const workers_task *task;
    const session *s;
    worker_limits limits;
    int64_t patience; /* milliseconds for reading, and for each kernel */
    size_t next;      /* of task->files */
    size_t n_seats;
    worker_seat *seats;
    struct pollfd *polled; /* two for each seat */
    int why_none;          /* errno: no worker could be made; 0: one could */
    confinement confined;
    unsigned in_force; /* in all workers that there were: confine_part */
} workers;

/* ---- Section: In the worker ---- */

static void say_packed(const worker_line *line, worker_word word, const checked_input *what)
{
    tr_text packed = {0};
    if (!packed_write(&packed, what))
        checking_failed(what->report.file, "what was found of a kernel is too large to be kept",
                        &packed);
    worker_say(line, word, packed.data, packed.length);
    tr_text_free(&packed);
}

static void say_roster(void *user, const checked_input *all)
{
    say_packed(user, WORKER_ROSTER, all);
}

static void say_kernel(void *user, size_t number, const char *name)
{
    const uint64_t word = number;
    (void)name; /* of the roster */
    worker_say(user, WORKER_KERNEL, &word, sizeof word);
}

static void say_step(void *user, progress_step step)
{
    const uint64_t word = step;
    worker_say(user, WORKER_STEP, &word, sizeof word);
}

static void say_part(void *user, const checked_input *one)
{
    say_packed(user, WORKER_PART, one);
}

static void say_keep(void *user, const tr_text *entry)
{
    worker_say(user, WORKER_KEEP, entry->data, entry->length);
}

static void do_task(void *user, worker_task task, const worker_line *line)
{
    const workers *all = user;
    const checking_told told = {.user = (void *)(uintptr_t)line,
                                .roster = say_roster,
                                .kernel = say_kernel,
                                .step = say_step,
                                .part = say_part,
                                .keep = say_keep};
    session own = *all->s;
    tr_text packed = {0};
    own.progress = NULL; /* the parent's: it does as it is told */
    own.is_worker = true;
    affected_run(&own, task.number, task.from, &told, &packed);
    worker_say(line, WORKER_PART, packed.data, packed.length);
    tr_text_free(&packed);
}

/* ---- Section: What a worker says ---- */

static void restart_clock(const workers *all, worker_seat *seat)
{
    seat->deadline = tr_now_ms() + all->patience;
}

static bool take_number(const char *bytes, size_t length, uint64_t below, uint64_t *number)
{
    if (length != sizeof *number)
        return false;
    memcpy(number, bytes, sizeof *number);
    return *number < below;
}

static void forget_file(worker_seat *seat)
{
    tr_text_free(&seat->parts);
    tr_arena_free(seat->names);
    *seat = (worker_seat){.w = seat->w};
}

/* Takes in the kernels of the file. A worker sends them before it begins with one; otherwise `from`
 * could point beyond them. */
static bool take_roster(worker_seat *seat, const char *bytes, size_t length)
{
    if (seat->at_kernel)
        return false;
    tr_arena_free(seat->names);
    seat->names = tr_arena_new();
    return packed_read(seat->names, bytes, length, &seat->kernels);
}

static void finish(const workers *all, worker_seat *seat)
{
    all->task->take(all->task->user, seat->file, &seat->parts);
    progress_end_file(all->s->progress, seat->file);
    forget_file(seat);
}

static bool take_confined(workers *all, const char *bytes, size_t length)
{
    uint64_t in_force;
    if (!take_number(bytes, length, CONFINE_ALL + 1, &in_force))
        return false;
    all->in_force &= (unsigned)in_force;
    return true;
}

/* Takes in a message of the worker. False: it is not one that a worker sends. */
static bool take_message(workers *all, worker_seat *seat, worker_word word, const char *bytes,
                         size_t length)
{
    struct progress *p = all->s->progress;
    uint64_t number;
    if (!seat->busy)
        return false;
    switch (word) {
    case WORKER_CONFINED:
        return take_confined(all, bytes, length);
    case WORKER_ROSTER:
        return take_roster(seat, bytes, length);
    case WORKER_KERNEL:
        if (!take_number(bytes, length, seat->kernels.report.n_kernels, &number))
            return false;
        seat->from = number;
        seat->at_kernel = true;
        restart_clock(all, seat);
        progress_kernel(p, seat->file, seat->kernels.report.kernels[number].kernel);
        return true;
    case WORKER_STEP:
        if (!take_number(bytes, length, PROGRESS_STEP_COUNT, &number))
            return false;
        progress_phase(p, seat->file, (progress_step)number);
        return true;
    case WORKER_PART:
        seat->from += seat->at_kernel;
        seat->at_kernel = false;
        restart_clock(all, seat);
        tr_text_addn(&seat->parts, bytes, length);
        return true;
    case WORKER_KEEP:
        if (all->s->cache)
            cache_keep(all->s->cache, all->s, seat->file, bytes, length);
        return all->s->cache != NULL;
    case WORKER_DONE:
        finish(all, seat);
        return true;
    }
    return false;
}

/* ---- Section: Deaths ---- */

typedef struct death {
    reason_kind kind;
    const char *words;   /* why the kernel is undecided: "it ran out of memory", ... */
    const char *failure; /* why the command fails as well; NULL: the death is a limit that worked */
} death;

/* Says which limit was reached: ours, or one that this program was started with. */
static const char *too_little(const workers *all, tr_arena *arena)
{
    struct rlimit addresses, data;
    unsigned long long pages = 0;
    uint64_t most = all->limits.memory;
    FILE *size = fopen("/proc/self/statm", "re");
    if (size && fscanf(size, "%llu", &pages) != 1)
        pages = 0;
    if (size)
        fclose(size);
    uint64_t mapped = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    if (getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY &&
        addresses.rlim_cur < mapped + most)
        return tr_arena_printf(arena,
                               "the check needs more memory than a process may have here: %llu MB "
                               "of addresses (ulimit -v)",
                               (unsigned long long)(addresses.rlim_cur >> 20));
    if (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur < most)
        return tr_arena_printf(arena,
                               "the check needs more memory than a process may have here: %llu MB "
                               "of data (ulimit -d)",
                               (unsigned long long)(data.rlim_cur >> 20));
    return tr_arena_printf(arena, "the check needs more than %llu MB of memory",
                           (unsigned long long)(most >> 20));
}

/* A signal that a program gets for a mistake of its own. */
static bool is_crash(int number)
{
    static const int all[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < TR_COUNT(all); i++)
        if (all[i] == number)
            return true;
    return false;
}

static death death_of(const workers *all, tr_arena *arena, const worker_end *how, bool was_late)
{
    if (was_late)
        return (death){REASON_BUDGET,
                       tr_arena_printf(arena, "the check did not end within %g s",
                                       (double)all->patience / 1e3),
                       NULL};
    if (how->no_memory)
        return (death){REASON_MEMORY, too_little(all, arena), NULL};
    const char *words =
        how->signal ? tr_arena_printf(arena, "the process that checked it ended by signal %d (%s)",
                                      how->signal, strsignal(how->signal))
        : how->exit_status
            ? tr_arena_printf(arena, "the process that checked it ended with %d", how->exit_status)
            : "the process that checked it ended before its time";
    const char *failure =
        is_crash(how->signal)
            ? tr_arena_printf(arena,
                              "%s. This is a mistake in tilerace; please report it, with the "
                              "file, at " REPORT_HOME "/issues",
                              words)
            : words;
    return (death){REASON_WORKER_ENDED, words, failure};
}

/* Adds the results of the kernels from `from` up to but not including `to`: undecided. */
static void add_undecided(worker_seat *seat, size_t from, size_t to, reason_kind kind,
                          const char *why)
{
    const input_report *all = &seat->kernels.report;
    for (size_t i = from; i < to; i++) {
        kernel_report kernel = all->kernels[i];
        kernel.reason = (verdict_reason){kind, why, kernel.place};
        kernel.unknown = kernel.total = 1;
        const checked_input part = {
            .report = {.file = all->file, .n_kernels = 1, .kernels = &kernel}};
        packed_write(&seat->parts, &part);
    }
}

/* Adds the part of the result that belongs to the file and not to a kernel. */
static void add_rest(worker_seat *seat, const char *failure)
{
    const checked_input *all = &seat->kernels;
    const checked_input part = {.report = {.file = all->report.file},
                                .failure = failure,
                                .n_kernels = all->n_kernels,
                                .kernels = all->kernels};
    packed_write(&seat->parts, &part);
}

/* Returns why the command fails because of a death, in the arena; NULL: it does not fail. */
static const char *failure_of(tr_arena *arena, const char *file, const worker_seat *seat,
                              const death *why)
{
    if (!why->failure)
        return NULL;
    if (!seat->at_kernel)
        return tr_arena_printf(arena, "%s: %s", file, why->failure);
    const char *kernel = seat->kernels.report.kernels[seat->from].kernel;
    return tr_arena_printf(arena, "%s: '%s' is not decided: %s", file, kernel, why->failure);
}

/* Adds to the result of a file what the death of its worker leaves undecided: the kernel that the
 * worker was at; after MOST_DEATHS deaths, all kernels that are left. Returns whether the result is
 * complete then. If not, the next worker continues at kernel seat->from. */
static bool add_death(const workers *all, worker_seat *seat, const death *why)
{
    const char *file = all->s->files[seat->file];
    size_t n_kernels = seat->kernels.report.n_kernels;
    if (!seat->names || n_kernels == 0) { /* the worker has not said which kernels there are */
        checking_failed(file, why->words, &seat->parts);
        return true;
    }
    tr_arena *arena = tr_arena_new();
    const char *failure = failure_of(arena, file, seat, why);
    if (seat->at_kernel) {
        add_undecided(seat, seat->from, seat->from + 1, why->kind, why->words);
        seat->from++;
        seat->at_kernel = false;
    }
    if (++seat->deaths >= MOST_DEATHS) {
        add_undecided(seat, seat->from, n_kernels, REASON_WORKER_ENDED,
                      "it was not checked, since the process that checks this file had to be ended "
                      "too often");
        seat->from = n_kernels;
    }
    bool is_complete = seat->from >= n_kernels;
    if (is_complete || failure)
        add_rest(seat, failure);
    tr_arena_free(arena);
    return is_complete;
}

static bool must_stop(const workers *all)
{
    const atomic_bool *stop = progress_stop_flag(all->s->progress);
    return stop && atomic_load(stop);
}

static bool start(workers *all, worker_seat *seat)
{
    seat->w = worker_start(do_task, all, &all->limits);
    if (!seat->w)
        all->why_none = errno;
    return seat->w != NULL;
}

static bool give(const workers *all, worker_seat *seat)
{
    const worker_task task = {seat->file, seat->from};
    seat->at_kernel = false;
    restart_clock(all, seat);
    return worker_give(seat->w, &task);
}

static void check_here(const workers *all, worker_seat *seat);

/* Ends a worker that has died or has to be ended. Its file is then finished, or checked further by
 * another worker. */
static void replace(workers *all, worker_seat *seat, bool was_late)
{
    tr_arena *arena = tr_arena_new();
    worker_end how = worker_stop(seat->w);
    if (all->s->options->keep_obligations)
        tr_remove_unfinished(all->s->options->keep_obligations, how.process);
    death why = death_of(all, arena, &how, was_late);
    seat->w = NULL;
    if (!seat->busy || must_stop(all))
        seat->busy = false;
    else if (add_death(all, seat, &why))
        finish(all, seat);
    else if (!start(all, seat))
        check_here(all, seat);
    else
        give(all, seat); /* if this worker dies as well, hear() notices */
    tr_arena_free(arena);
}

/* ---- Section: Without workers ---- */

typedef struct here { /* the file that this process itself checks */
    struct progress *progress;
    size_t file;
} here;

static void here_kernel(void *user, size_t number, const char *name)
{
    const here *at = user;
    (void)number;
    progress_kernel(at->progress, at->file, name);
}

static void here_step(void *user, progress_step step)
{
    const here *at = user;
    progress_phase(at->progress, at->file, step);
}

static void check_here(const workers *all, worker_seat *seat)
{
    here at = {all->s->progress, seat->file};
    const checking_told told = {.user = &at, .kernel = here_kernel, .step = here_step};
    affected_run(all->s, seat->file, seat->from, &told, &seat->parts);
    if (!must_stop(all))
        finish(all, seat);
}

/* ---- Section: The run ---- */

static bool has_more(const workers *all)
{
    return all->next < all->task->n && !must_stop(all);
}

static void begin_next(workers *all, worker_seat *seat)
{
    seat->file = all->task->files[all->next++];
    seat->busy = true;
    progress_begin_file(all->s->progress, seat->file, all->s->files[seat->file]);
}

/* Gives files to workers that wait, and makes workers as long as there are files for them. */
static void hand_out(workers *all)
{
    for (size_t i = 0; i < all->n_seats && has_more(all); i++) {
        worker_seat *seat = &all->seats[i];
        if (seat->busy || (!seat->w && (all->why_none || !start(all, seat))))
            continue;
        begin_next(all, seat);
        give(all, seat);
    }
}

/* Waits until a worker has sent something or has reached its deadline. Returns how many are busy.
 */
static size_t wait_for_news(workers *all)
{
    int64_t now = tr_now_ms(), until = INT64_MAX;
    size_t n = 0;
    for (size_t i = 0; i < all->n_seats; i++) {
        const worker_seat *seat = &all->seats[i];
        all->polled[2 * i] =
            (struct pollfd){.fd = seat->w ? worker_voice(seat->w) : -1, .events = POLLIN};
        all->polled[2 * i + 1] =
            (struct pollfd){.fd = seat->w ? worker_prints(seat->w) : -1, .events = POLLIN};
        n += seat->busy;
        if (seat->busy && seat->deadline < until)
            until = seat->deadline;
    }
    if (n == 0)
        return 0;
    int64_t left = until == INT64_MAX ? -1 : until > now ? until - now : 0;
    poll(all->polled, 2 * all->n_seats, left > INT_MAX ? INT_MAX : (int)left);
    return n;
}

static void hear(workers *all, worker_seat *seat)
{
    worker_word word;
    const char *bytes;
    size_t length;
    bool is_there = worker_listen(seat->w);
    while (worker_hears(seat->w, &word, &bytes, &length))
        if (!take_message(all, seat, word, bytes, length)) {
            is_there = false;
            break;
        }
    if (!is_there)
        replace(all, seat, false);
}

static void hear_all(workers *all)
{
    for (size_t i = 0; i < all->n_seats; i++) {
        worker_seat *seat = &all->seats[i];
        if (seat->w && (all->polled[2 * i].revents || all->polled[2 * i + 1].revents))
            hear(all, seat);
        if (seat->w && seat->busy && tr_now_ms() >= seat->deadline)
            replace(all, seat, true);
    }
}

static void check_one_after_another(workers *all)
{
    worker_seat seat = {0};
    if (!has_more(all))
        return;
    tr_say(all->s->err,
           "tilerace: warning: no process can be made (%s): files are checked one after another, "
           "without limits of memory and time\n",
           strerror(all->why_none));
    while (has_more(all)) {
        begin_next(all, &seat);
        check_here(all, &seat);
    }
    forget_file(&seat);
}

/* Prints, with --verbose, how the workers are confined. */
static void say_how_confined(const workers *all)
{
    if (!all->s->options->verbose || all->next == 0 || all->why_none)
        return;
    const char *why_not = all->confined.why_not;
    tr_say(all->s->err, "tilerace: workers were %s%s\n", why_not ? "not confined: " : "",
           why_not ? why_not : confine_words(all->in_force));
}

static workers workers_for(const workers_task *task, tr_arena *arena)
{
    const driver_options *o = task->s->options;
    size_t n = o->jobs ? o->jobs : pool_processors();
    return (workers){
        .task = task,
        .s = task->s,
        .limits = {.memory = (uint64_t)(o->memory ? o->memory : DEFAULT_MEMORY_MB) << 20},
        .patience = o->timeout ? (int64_t)o->timeout : DEFAULT_PATIENCE_MS,
        .confined = confine_plan(arena, task->s->solver, affected_git(task->s->affected),
                                 o->keep_obligations),
        .in_force = CONFINE_ALL,
        .n_seats = n < task->n ? n : task->n};
}

void workers_run(const workers_task *task)
{
    tr_arena *arena = tr_arena_new();
    workers all = workers_for(task, arena);
    all.limits.confined = &all.confined;
    all.seats = calloc(all.n_seats + 1, sizeof *all.seats);
    all.polled = calloc(2 * all.n_seats + 1, sizeof *all.polled);
    if (!all.seats || !all.polled)
        tr_no_memory();
    hand_out(&all);
    while (wait_for_news(&all) > 0) {
        hear_all(&all);
        hand_out(&all);
    }
    check_one_after_another(&all);
    say_how_confined(&all);
    for (size_t i = 0; i < all.n_seats; i++) {
        worker_dismiss(all.seats[i].w);
        forget_file(&all.seats[i]);
    }
    free(all.seats);
    free(all.polled);
    tr_arena_free(arena);
}

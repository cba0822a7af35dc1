/* Collects all traces of every block, round by round: what one round's traces write, the next one's
 * may read.
 *
 * A round ends the search when it brings no new value. Counters would never stop growing, but an
 * execution has only so many writes that depend on reads, and by A9 a value goes through each of
 * them once at most: after that many rounds all values that matter have been found. */
#include "executions/trace_run.h"

#include <stdlib.h>

#define GLOBALS    (1 << 20) /* numbers of module globals */
#define ALLOCAS    (1 << 21) /* numbers of allocas, by block */
#define MAX_ROUNDS 64

bool trace_give_up(trace_search *s, executions_answer answer, const ir_op *where,
                   const char *format, ...)
{
    if (s->answer != EXECUTIONS_RACE_FREE)
        return false;
    va_list arguments;
    va_start(arguments, format);
    s->answer = answer;
    s->where = where;
    s->why = tr_arena_vprintf(s->arena, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- Section: Buffers ---- */

int32_t trace_number_of_buffer(const runner *r, const interp_run *run, int32_t buffer)
{
    const trace_search *s = r->search;
    if (buffer < 0)
        return -1;
    uint32_t part = s->blocks[r->number].part;
    if ((size_t)buffer < s->parts[part].launch->n_buffers)
        return s->buffer_of[part][buffer];
    int global = interp_global_of(run, buffer);
    return global >= 0 ? GLOBALS + global : ALLOCAS + (int32_t)(r->number * 4096) + buffer % 4096;
}

const char *trace_buffer_name(const trace_search *s, int32_t buffer)
{
    if (buffer >= ALLOCAS)
        return "alloca";
    if (buffer >= GLOBALS) {
        const ir_global *g = s->parts[0].kernel->module->globals;
        for (int32_t i = GLOBALS; g && i < buffer; i++)
            g = g->next;
        return g ? g->name : "global";
    }
    return buffer < 0 ? "no buffer" : s->buffers[buffer];
}

static void name_buffers(trace_search *s)
{
    s->buffer_of = TR_NEW_ARRAY(s->arena, int32_t *, s->n_parts + 1);
    for (size_t p = 0; p < s->n_parts; p++) {
        const concrete_launch *launch = s->parts[p].launch;
        s->buffer_of[p] = TR_NEW_ARRAY(s->arena, int32_t, launch->n_buffers + 1);
        for (size_t b = 0; b < launch->n_buffers; b++) {
            const char *name = launch->buffers[b].name;
            int32_t n = 0;
            while (n < arrlen(s->buffers) && strcmp(s->buffers[n], name) != 0)
                n++;
            if (n == arrlen(s->buffers))
                arrput(s->buffers, name);
            s->buffer_of[p][b] = n;
        }
    }
}

/* ---- Section: One block ---- */

static bool take_in(runner *r, const interp_run *run)
{
    trace_search *s = r->search;
    const ir_op *where = interp_run_where(run);
    switch (interp_run_status(run)) {
    case INTERP_DONE:
    case INTERP_HANG:
        if (interp_event_count(run) > s->limits.events)
            return trace_give_up(s, EXECUTIONS_BOUND, NULL,
                                 "a tile block makes more than %u memory events", s->limits.events);
        trace_keep(r, run);
        return true;
    case INTERP_UNDECIDED:
        if (where && (trace_learn_needs(r, run) || s->new_needs))
            return true; /* the round is done over */
        return trace_give_up(s, EXECUTIONS_UNDECIDED, where, "%s", interp_run_why(run));
    case INTERP_LIMIT:
        if (trace_learn_unfinished(r, run))
            return true;
        return trace_give_up(s, EXECUTIONS_BOUND, where, "%s", interp_run_why(run));
    case INTERP_UB:
    case INTERP_UNSUPPORTED:
        break;
    }
    return trace_give_up(s, EXECUTIONS_UNDECIDED, where, "%s", interp_run_why(run));
}

static bool run_once(runner *r)
{
    trace_search *s = r->search;
    const trace_block *b = &s->blocks[r->number];
    const executions_part *part = &s->parts[b->part];
    interp_limits limits = {.steps = 20000000, .events = 4 * (uint64_t)s->limits.events};
    r->at = 0;
    r->dead = false;
    arrsetlen(r->updates, 0);
    r->oracle = (oracle){.read = trace_give, .waits_on = trace_waits_on, .user = r};
    oracle_start(&r->oracle, part->kernel);
    interp_run *run = interp_execute_hooked(part->kernel, part->launch, &s->choices, &limits,
                                            b->block, &r->oracle.hooks);
    bool fine = take_in(r, run);
    interp_run_free(run);
    oracle_free(&r->oracle);
    return fine && s->answer == EXECUTIONS_RACE_FREE;
}

/* The next path: the last choice that has candidates left takes the next one. */
static bool next_path(runner *r)
{
    arrsetlen(r->path, r->at);
    while (arrlen(r->path)) {
        branching *last = &arrlast(r->path);
        if (++last->taken < last->count)
            return true;
        arrpop(r->path);
    }
    return false;
}

static bool run_all_paths(trace_search *s, uint32_t number)
{
    runner r = {.search = s, .number = number};
    bool fine = true;
    size_t runs = 0;
    do {
        if (++runs > s->limits.traces)
            fine = trace_give_up(s, EXECUTIONS_BOUND, NULL,
                                 "a tile block can run in more than %u ways", s->limits.traces);
    } while (fine && (fine = run_once(&r)) && next_path(&r));
    arrfree(r.path);
    arrfree(r.options);
    arrfree(r.updates);
    return fine;
}

/* ---- Section: Rounds ---- */

typedef struct trace_count {
    trace_place key;
    size_t value;
} trace_count;

static void forget_traces(trace_search *s)
{
    for (ptrdiff_t b = 0; b < arrlen(s->blocks); b++)
        arrsetlen(s->blocks[b].traces, 0);
    tr_arena_free(s->round);
    s->round = tr_arena_new();
    s->n_traces = 0;
}

static void forget_values(trace_search *s)
{
    for (ptrdiff_t i = 0; i < hmlen(s->written); i++) {
        arrfree(s->written[i].value.values);
        arrfree(s->written[i].value.unknown_by);
    }
    hmfree(s->written);
}

/* How often a value can go through one execution of an op. Updates of one place by several elements
 * of a tile can hand it on from element to element. */
static size_t hangs_on_reads(const trace *t, const trace_instance *by)
{
    static const taint none;
    size_t most = 0;
    trace_count *counts = NULL;
    bool hangs = memcmp(&by->hangs_on, &none, sizeof none) != 0;
    for (uint32_t i = by->first; i < by->end; i++) {
        const trace_event *e = &t->events[i];
        if (!e->writes || !e->write_known || !(e->reads || hangs))
            continue;
        trace_place place = {.address = e->address, .buffer = e->buffer};
        size_t n = e->reads ? hmget(counts, place) + 1 : 1;
        if (e->reads)
            hmput(counts, place, n);
        most = n > most ? n : most;
    }
    hmfree(counts);
    return most;
}

/* Writes of known values that depend on reads, one behind the other, in an execution at most. */
static size_t dependent_writes(const trace_search *s)
{
    size_t total = 0;
    for (ptrdiff_t b = 0; b < arrlen(s->blocks); b++) {
        size_t most = 0;
        for (ptrdiff_t i = 0; i < arrlen(s->blocks[b].traces); i++) {
            const trace *t = &s->blocks[b].traces[i];
            size_t n = 0;
            for (size_t k = 0; k < t->n_instances; k++)
                n += hangs_on_reads(t, &t->instances[k]);
            most = n > most ? n : most;
        }
        total += most;
    }
    return total;
}

static bool list_blocks(trace_search *s)
{
    for (size_t p = 0; p < s->n_parts; p++) {
        const int64_t *grid = s->parts[p].launch->grid;
        uint64_t n = 1;
        for (int axis = 0; axis < 3; axis++)
            n = grid[axis] < 1 || grid[axis] > 4096 ? 1 << 20 : n * (uint64_t)grid[axis];
        if (n + arrlenu(s->blocks) > s->limits.blocks)
            return trace_give_up(s, EXECUTIONS_BOUND, NULL, "more than %u tile blocks",
                                 s->limits.blocks);
        for (uint64_t i = 0; i < n; i++) {
            trace_block b = {.part = (uint32_t)p, .block = (uint32_t)i};
            arrput(s->blocks, b);
        }
    }
    return true;
}

bool trace_find_all(trace_search *s)
{
    name_buffers(s);
    s->round = tr_arena_new();
    if (!list_blocks(s))
        return false;
    size_t round = 0;
    do {
        forget_traces(s);
        s->changed = s->redo = s->new_needs = false;
        for (uint32_t b = 0; b < arrlenu(s->blocks); b++)
            if (!run_all_paths(s, b))
                return false;
        if (s->new_needs) { /* what was unknown before will be known now */
            forget_values(s);
            round = 0;
            continue;
        }
        for (ptrdiff_t b = 0; b < arrlen(s->blocks); b++)
            for (ptrdiff_t i = 0; i < arrlen(s->blocks[b].traces); i++)
                trace_learn(s, (uint32_t)b, &s->blocks[b].traces[i]);
        if (++round > MAX_ROUNDS)
            return trace_give_up(s, EXECUTIONS_BOUND, NULL,
                                 "after %d rounds there are still new values to read", MAX_ROUNDS);
        if (s->choices.no_thin_air && !s->redo && round > dependent_writes(s) + 1)
            break;
    } while (s->changed || s->redo);
    return true;
}

void trace_search_free(trace_search *s)
{
    for (ptrdiff_t b = 0; b < arrlen(s->blocks); b++)
        arrfree(s->blocks[b].traces);
    arrfree(s->blocks);
    forget_values(s);
    hmfree(s->initial);
    hmfree(s->needed);
    arrfree(s->buffers);
    if (s->round)
        tr_arena_free(s->round);
}

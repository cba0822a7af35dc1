/* All traces of every block, round by round: what one round's traces write, the next one's may
 * read.
 *
 * A round ends the search when it brings no new value. Counters would never stop growing, but an
 * execution has only so many writes that hang on reads, and by A9 a value goes through each of
 * them once at most: after that many rounds all values that matter have been found. */
#include "interp/trace.h"

#include <stdlib.h>

#define GLOBALS     (1 << 20) /* numbers of module globals */
#define ALLOCAS     (1 << 21) /* ... and of allocas, by block */
#define MAX_VALUES  64
#define MAX_OPTIONS 64

typedef struct branching { /* one choice of a run: which of its candidates */
    uint32_t taken, count;
} branching;

typedef struct runner { /* one block while its traces are found */
    trace_search *search;
    uint32_t number; /* of the block in the search */
    branching *path; /* stb_ds */
    size_t at;
    oracle oracle;
    trace_value *options;     /* stb_ds: scratch */
    trace_place *updated;     /* stb_ds: places that updates of this run have read ... */
    uint64_t *updated_values; /* ... and what */
} runner;

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

static int32_t number_of_buffer(const runner *r, const interp_run *run, int32_t buffer)
{
    const trace_search *s = r->search;
    if (buffer < 0)
        return NO_BUFFER;
    if ((size_t)buffer < run->n_launch_buffers)
        return s->buffer_of[s->blocks[r->number].part][buffer];
    for (ptrdiff_t i = 0; i < arrlen(run->globals); i++)
        if (run->globals[i] == buffer)
            return GLOBALS + (int32_t)i;
    return ALLOCAS + (int32_t)(r->number * 4096) + buffer % 4096;
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
        const interp_launch *launch = s->parts[p].launch;
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

/* ---- Section: What a read may give ---- */

static bool add_value(trace_value **values, trace_value v, size_t limit)
{
    for (ptrdiff_t i = 0; i < arrlen(*values); i++)
        if ((*values)[i].known == v.known && (*values)[i].bits == v.bits)
            return false;
    if (arrlenu(*values) < limit)
        arrput(*values, v);
    return true;
}

static trace_value initial_value(interp_run *run, int32_t buffer, int64_t address, int width)
{
    oracle *o = run->oracle;
    trace_value v = {0};
    run->oracle = NULL;
    v.known = memory_read(run, buffer, address, width, &v.bits);
    run->oracle = o;
    if (!v.known)
        v.bits = 0;
    return v;
}

/* Bytes of other elements: every mixture of the bytes that may be there. */
static void mix_bytes(trace_value **options, const trace_value *other, int from, int n_bytes,
                      int shift)
{
    size_t n = arrlenu(*options);
    uint64_t mask = n_bytes >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * n_bytes) - 1;
    uint64_t part = (other->bits >> 8 * from & mask) << 8 * shift;
    for (size_t i = 0; i < n; i++) {
        trace_value v = (*options)[i];
        v.known &= other->known;
        v.bits = v.known ? (v.bits & ~(mask << 8 * shift)) | part : 0;
        add_value(options, v, MAX_OPTIONS + 1);
    }
}

/* Everything that a read of the place may give; false when nobody writes there. */
static bool find_options(runner *r, interp_run *run, int32_t buffer, const trace_place *place)
{
    static const int widths[] = {1, 2, 4, 8};
    trace_search *s = r->search;
    bool any = false;
    arrsetlen(r->options, 0);
    if (!s->written)
        return false;
    arrput(r->options, initial_value(run, buffer, place->address, place->width));
    const trace_entry *exact = hmgetp_null(s->written, *place);
    for (ptrdiff_t i = 0; exact && i < arrlen(exact->value.values); i++)
        add_value(&r->options, exact->value.values[i], MAX_OPTIONS + 1);
    any = exact != NULL;
    for (size_t k = 0; k < TR_COUNT(widths); k++)
        for (int64_t at = place->address - widths[k] + 1; at < place->address + place->width;
             at++) {
            trace_place other = {.address = at, .buffer = place->buffer, .width = widths[k]};
            const trace_entry *e = hmgetp_null(s->written, other);
            if (!e || e == exact)
                continue;
            any = true;
            int64_t low = at > place->address ? at : place->address;
            int64_t high = at + widths[k] < place->address + place->width
                               ? at + widths[k]
                               : place->address + place->width;
            for (ptrdiff_t i = 0; i < arrlen(e->value.values); i++)
                mix_bytes(&r->options, &e->value.values[i], (int)(low - at), (int)(high - low),
                          (int)(low - place->address));
        }
    return any;
}

/* Where every write raises the value, no two updates of an execution read the same one. */
static void drop_repeated(runner *r, const ir_op *op, const trace_place *place)
{
    const trace_entry *e = hmgetp_null(r->search->written, *place);
    model_access access;
    if (!e || !(e->value.rising || e->value.falling) || !model_access_of(op, &access) ||
        access != MODEL_UPDATE || op->code == IR_OP_ATOMIC_CAS_TKO)
        return;
    for (ptrdiff_t i = 0; i < arrlen(r->updated); i++)
        for (ptrdiff_t k = 0; k < arrlen(r->options); k++)
            if (memcmp(&r->updated[i], place, sizeof *place) == 0 && r->options[k].known &&
                r->options[k].bits == r->updated_values[i] && arrlen(r->options) > 1) {
                arrdel(r->options, k);
                break;
            }
}

static bool give(void *user, interp_run *run, const ir_op *op, int32_t buffer, int64_t address,
                 int width, uint64_t *bits, bool *known, bool *decided)
{
    runner *r = user;
    trace_search *s = r->search;
    trace_place place = {
        .address = address, .buffer = number_of_buffer(r, run, buffer), .width = width};
    if (!find_options(r, run, buffer, &place))
        return false;
    *known = false;
    *bits = 0;
    *decided = false;
    hmput(s->initial, place, r->options[0]);
    if (!s->want_all && hmgeti(s->needed, op) < 0)
        return true;
    drop_repeated(r, op, &place);
    if (arrlen(r->options) > MAX_OPTIONS) {
        trace_give_up(s, EXECUTIONS_BOUND, op, "a read may give more than %d values", MAX_OPTIONS);
        run_stop(run, INTERP_LIMIT, op, "too many values");
        return true;
    }
    if (r->at == arrlenu(r->path)) {
        branching b = {.count = (uint32_t)arrlen(r->options)};
        arrput(r->path, b);
    }
    trace_value v = r->options[r->path[r->at++].taken];
    arrput(r->updated, place);
    arrput(r->updated_values, v.bits);
    *known = v.known;
    *bits = v.bits;
    *decided = true;
    return true;
}

/* ---- Section: What a run was ---- */

static bool is_awaited(const trace_instance *one, const trace_instance *last, size_t depth)
{
    return one->n_loops >= depth && last->n_loops >= depth &&
           memcmp(one->iterations, last->iterations, depth * sizeof(int64_t)) == 0;
}

/* In a wait that goes on: the ops of the loop's last iteration. */
static void mark_awaited(const interp_run *run, trace_instance *instances, size_t n)
{
    size_t depth = 1;
    for (const ir_op *o = run->where ? run->where->parent->parent : NULL; o; o = o->parent->parent)
        depth += o->code == IR_OP_FOR || o->code == IR_OP_LOOP;
    for (size_t i = 0; i < n && depth <= INTERP_MAX_LOOPS; i++)
        instances[i].awaited = is_awaited(&instances[i], &instances[n - 1], depth);
}

static uint32_t count_elements(const interp_run *run, uint32_t number, ptrdiff_t *at_span)
{
    uint32_t n = 0;
    while (*at_span < arrlen(run->spans) && run->spans[*at_span].instance < number)
        (*at_span)++;
    for (ptrdiff_t i = *at_span; i < arrlen(run->spans) && run->spans[i].instance == number; i++)
        n += run->spans[i].count;
    return n;
}

static void list_events(const runner *r, const interp_run *run, const oracle_instance *from,
                        uint32_t number, ptrdiff_t at_span, trace_event *events, size_t *n)
{
    model_access access = MODEL_READ;
    const ir_op *op = run->instances[from->number].op;
    model_access_of(op, &access);
    size_t k = from->first;
    bool recorded = from->end > from->first;
    for (; at_span < arrlen(run->spans) && run->spans[at_span].instance == from->number;
         at_span++) {
        const struct span *s = &run->spans[at_span];
        for (uint32_t i = 0; i < s->count; i++, k++) {
            trace_event *e = &events[(*n)++];
            *e = (trace_event){
                .buffer = number_of_buffer(r, run, s->buffer),
                .width = s->width,
                .address = (int64_t)((uint64_t)s->address + (uint64_t)i * s->width),
                .instance = number,
                .in_tile = s->in_tile + i * s->step,
                .reads = access & MODEL_READ,
                .writes = access & MODEL_WRITE,
            };
            if (!recorded) /* nothing about its values is known */
                continue;
            const oracle_element *seen = &r->oracle.elements[k];
            e->read_known = seen->read_known;
            e->read = seen->read;
            e->decided = seen->decided;
            e->writes = seen->writes;
            e->write_known = seen->write_known;
            e->written = seen->written;
        }
    }
}

static void order_instance(const runner *r, const interp_run *run, trace_instance *instances,
                           size_t number)
{
    const oracle *o = &r->oracle;
    uint32_t node = run->instances[o->instances[number].number].node;
    for (size_t i = 0; i < number; i++)
        if (interp_token_before(run, o->instances[i].number, o->instances[number].number))
            instances[number].after.bits[i / 64] |= (uint64_t)1 << (i % 64);
    for (ptrdiff_t w = 0; w < arrlen(o->waits); w++)
        instances[number].after_wait |= tokens_reach(run, o->waits[w], node, false);
}

static void keep_trace(runner *r, const interp_run *run)
{
    trace_search *s = r->search;
    const oracle *o = &r->oracle;
    size_t n = arrlenu(o->instances);
    trace t = {.blocked = run->status == INTERP_HANG, .n_instances = n};
    trace_instance *instances = TR_NEW_ARRAY(s->round, trace_instance, n + 1);
    trace_event *events = TR_NEW_ARRAY(s->round, trace_event, run->n_events + 1);
    ptrdiff_t at_span = 0;
    for (size_t i = 0; i < n; i++) {
        const oracle_instance *from = &o->instances[i];
        const interp_instance *full = interp_instance_of(run, from->number);
        trace_instance *to = &instances[i];
        to->op = full->op;
        model_access_of(to->op, &to->access);
        to->n_loops = full->n_loops;
        memcpy(to->iterations, full->iterations, sizeof to->iterations);
        to->hangs_on = from->hangs_on;
        to->first = (uint32_t)t.n_events;
        uint32_t elements = count_elements(run, from->number, &at_span);
        oracle_instance shown = *from;
        if (from->end - from->first != elements)
            shown.end = shown.first; /* the machine saw that it need not look at them */
        list_events(r, run, &shown, (uint32_t)i, at_span, events, &t.n_events);
        to->end = (uint32_t)t.n_events;
        order_instance(r, run, instances, i);
    }
    if (t.blocked && n)
        mark_awaited(run, instances, n);
    t.events = events;
    t.instances = instances;
    arrput(s->blocks[r->number].traces, t);
    s->n_traces++;
}

/* ---- Section: What a trace tells the next round ---- */

static void need(trace_search *s, const ir_op *op)
{
    model_access access;
    if (!model_access_of(op, &access) || !(access & MODEL_READ) || hmgeti(s->needed, op) >= 0)
        return;
    hmput(s->needed, op, true);
    s->changed = true;
}

static void learn_event(trace_search *s, const trace *t, const trace_event *e)
{
    trace_place place = {.address = e->address, .buffer = e->buffer, .width = (int32_t)e->width};
    const trace_instance *by = &t->instances[e->instance];
    if (hmgeti(s->written, place) < 0) {
        trace_written fresh = {.rising = true, .falling = true};
        hmput(s->written, place, fresh);
        s->changed = true;
    }
    trace_written *w = &hmgetp_null(s->written, place)->value;
    trace_value v = {e->write_known, e->write_known ? e->written : 0};
    s->changed |= arrlen(w->values) < MAX_VALUES && add_value(&w->values, v, MAX_VALUES);
    bool update = by->access == MODEL_UPDATE && e->read_known && e->write_known;
    bool rising = w->rising && update && e->written > e->read;
    bool falling = w->falling && update && e->written < e->read;
    s->redo |= (rising != w->rising || falling != w->falling) && arrlen(w->values) > 1;
    w->rising = rising;
    w->falling = falling;
    if (e->write_known)
        return;
    for (size_t i = 0; i <= e->instance; i++) {
        const ir_op *op = t->instances[i].op;
        bool known = false;
        if (i != e->instance && !taint_has(&by->hangs_on, i))
            continue;
        for (ptrdiff_t k = 0; k < arrlen(w->unknown_by); k++)
            known |= w->unknown_by[k] == op;
        if (!known)
            arrput(w->unknown_by, op);
    }
}

static void learn(trace_search *s, const trace *t)
{
    for (size_t i = 0; i < t->n_events; i++)
        if (t->events[i].writes)
            learn_event(s, t, &t->events[i]);
}

/* The run hangs on a value that was left open: from now on it is given. False: on none such. */
static bool learn_needs(runner *r, const interp_run *run)
{
    trace_search *s = r->search;
    const oracle *o = &r->oracle;
    bool before = s->changed;
    s->changed = false;
    taint t = oracle_taint_of(o, run->where);
    for (size_t i = 0; i < arrlenu(o->instances); i++) {
        const oracle_instance *one = &o->instances[i];
        if (!taint_has(&t, i) || one->number == UINT32_MAX)
            continue;
        need(s, run->instances[one->number].op);
        for (uint32_t k = one->first; k < one->end; k++) {
            const oracle_element *e = &o->elements[k];
            trace_place place = {.address = e->address,
                                 .buffer = number_of_buffer(r, run, e->buffer),
                                 .width = (int32_t)e->width};
            const trace_entry *w =
                e->reads && !e->read_known && s->written ? hmgetp_null(s->written, place) : NULL;
            for (ptrdiff_t u = 0; w && u < arrlen(w->value.unknown_by); u++)
                need(s, w->value.unknown_by[u]);
        }
    }
    bool learnt = s->changed;
    s->changed |= before;
    return learnt;
}

/* ---- Section: One block ---- */

static bool take_in(runner *r, const interp_run *run)
{
    trace_search *s = r->search;
    switch (run->status) {
    case INTERP_DONE:
    case INTERP_HANG:
        if (r->oracle.overflow)
            return trace_give_up(s, EXECUTIONS_BOUND, NULL,
                                 "a tile block executes more than %d memory operations",
                                 ORACLE_BITS);
        if (run->n_events > s->limits.events)
            return trace_give_up(s, EXECUTIONS_BOUND, NULL,
                                 "a tile block makes more than %u memory events", s->limits.events);
        keep_trace(r, run);
        return true;
    case INTERP_UNDECIDED:
        if (run->where && learn_needs(r, run))
            return true;
        return trace_give_up(s, EXECUTIONS_UNDECIDED, run->where, "%s", run->why);
    case INTERP_LIMIT:
        return trace_give_up(s, EXECUTIONS_BOUND, run->where, "%s", run->why);
    case INTERP_UB:
    case INTERP_UNSUPPORTED:
        break;
    }
    return trace_give_up(s, EXECUTIONS_UNDECIDED, run->where, "%s", run->why);
}

static bool run_once(runner *r)
{
    trace_search *s = r->search;
    const trace_block *b = &s->blocks[r->number];
    const executions_part *part = &s->parts[b->part];
    interp_limits limits = {.steps = 20000000, .events = 4 * (uint64_t)s->limits.events};
    r->at = 0;
    arrsetlen(r->updated, 0);
    arrsetlen(r->updated_values, 0);
    r->oracle = (oracle){.read = give, .user = r};
    oracle_start(&r->oracle, part->kernel);
    interp_run *run =
        run_with_oracle(part->kernel, part->launch, &s->choices, &limits, b->block, &r->oracle);
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
    arrfree(r.updated);
    arrfree(r.updated_values);
    return fine;
}

/* ---- Section: Rounds ---- */

static void forget_traces(trace_search *s)
{
    for (ptrdiff_t b = 0; b < arrlen(s->blocks); b++)
        arrsetlen(s->blocks[b].traces, 0);
    tr_arena_free(s->round);
    s->round = tr_arena_new();
    s->n_traces = 0;
}

static bool hangs_on_reads(const trace *t, const trace_event *e)
{
    static const taint none;
    return e->writes && e->write_known &&
           (e->reads || memcmp(&t->instances[e->instance].hangs_on, &none, sizeof none) != 0);
}

/* Writes of known values that hang on reads, in an execution at most. */
static size_t dependent_writes(const trace_search *s)
{
    size_t total = 0;
    for (ptrdiff_t b = 0; b < arrlen(s->blocks); b++) {
        size_t most = 0;
        for (ptrdiff_t i = 0; i < arrlen(s->blocks[b].traces); i++) {
            const trace *t = &s->blocks[b].traces[i];
            size_t n = 0;
            for (size_t e = 0; e < t->n_events; e++)
                n += hangs_on_reads(t, &t->events[e]);
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
        s->changed = false;
        for (uint32_t b = 0; b < arrlenu(s->blocks); b++)
            if (!run_all_paths(s, b))
                return false;
        s->redo = s->changed; /* new needs: this round's traces are not all there */
        for (ptrdiff_t b = 0; b < arrlen(s->blocks); b++)
            for (ptrdiff_t i = 0; i < arrlen(s->blocks[b].traces); i++)
                learn(s, &s->blocks[b].traces[i]);
        round++;
        if (!s->redo && round > dependent_writes(s) + 1)
            break;
    } while (s->changed || s->redo);
    return true;
}

void trace_search_free(trace_search *s)
{
    for (ptrdiff_t b = 0; b < arrlen(s->blocks); b++)
        arrfree(s->blocks[b].traces);
    arrfree(s->blocks);
    for (ptrdiff_t i = 0; i < hmlen(s->written); i++) {
        arrfree(s->written[i].value.values);
        arrfree(s->written[i].value.unknown_by);
    }
    hmfree(s->written);
    hmfree(s->initial);
    hmfree(s->needed);
    arrfree(s->buffers);
    if (s->round)
        tr_arena_free(s->round);
}

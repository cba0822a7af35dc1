/* Explores all schedules of a small launch, up to equivalence: dynamic partial order reduction.
 * Each execution is run from the start, along the choices that lead to where it is to differ.
 *
 * Two steps depend on each other when they touch the same bytes and one of them writes, when a
 * token orders them, when one was issued with the other's value, or when one waits for the kernel
 * before, which the other is of. Executions that order all
 * dependent steps alike are equivalent. After each execution, for every two conflicting steps that
 * nothing else orders, the other order is put down to be tried, at the choice before the first of
 * them (source sets); what was tried there already and does not depend on what was chosen since is
 * not begun again (sleep sets). */
#include "interp/schedule_private.h"

#include <stdlib.h>

#define MAX_STEPS    4096
#define DEFAULT_RUNS 10000

typedef struct entry { /* a step, taken or possible */
    uint64_t key;      /* block, number, and whether its elements come last first */
    model_access does;
    span *touched; /* stb_ds */
} entry;

typedef struct event { /* a step of the execution at hand */
    entry entry;
    uint32_t *causes; /* stb_ds: steps */
} event;

typedef struct frame { /* one choice */
    uint64_t chosen;
    uint64_t *enabled;   /* stb_ds */
    uint64_t *backtrack; /* stb_ds: to be tried here */
    entry *sleep;        /* stb_ds: tried, or known not to lead to anything new */
} frame;

typedef struct explorer {
    frame *frames; /* stb_ds */
    event *events; /* stb_ds */
    bool redundant, too_long, window_met, blocks_met;
    uint64_t *before; /* of event j: bits j * words ..: the events it depends on, transitively */
    size_t words;
    size_t n_own; /* blocks from there on are of the kernel before */
    bool outside; /* a step to be tried was not possible where it should have been */
} explorer;

#define BACKWARDS 1

static uint64_t key_of(const candidate *c)
{
    return (uint64_t)c->task->block << 32 | (uint64_t)c->number << 1;
}

static uint32_t block_of(uint64_t key)
{
    return (uint32_t)(key >> 32);
}

/* Does the order of its elements show? Sums of integers that nobody looks at on the way do not. */
static bool has_two_orders(const candidate *c)
{
    const issued *o = schedule_candidate(c);
    const access *a = &o->access;
    if (a->row->transfer == LOAD || !schedule_overlaps_itself(o->touched))
        return false;
    const ir_value *old =
        a->row->result == NONE ? NULL : ir_result(a->op, (unsigned)a->row->result);
    return a->row->transfer != UPDATE || a->row->mode == NONE || ir_type_is_float(a->elem) ||
           ir_attr_int(a->op, (unsigned)a->row->mode, IR_ATOMIC_ADD) == IR_ATOMIC_XCHG ||
           (old && ir_is_used(c->task->kernel, old));
}

static entry entry_of(const candidate *c, uint64_t key)
{
    const issued *o = schedule_candidate(c);
    entry e = {.key = key};
    model_access_of(o->access.op, &e.does);
    for (ptrdiff_t i = 0; i < arrlen(o->touched); i++)
        arrput(e.touched, o->touched[i]);
    return e;
}

static entry copy_of(const entry *from)
{
    entry e = {.key = from->key, .does = from->does};
    for (ptrdiff_t i = 0; i < arrlen(from->touched); i++)
        arrput(e.touched, from->touched[i]);
    return e;
}

static bool conflict(const entry *a, const entry *b)
{
    return schedule_conflict(a->touched, a->does, b->touched, b->does);
}

static bool has(const uint64_t *keys, uint64_t key)
{
    for (ptrdiff_t i = 0; i < arrlen(keys); i++)
        if (keys[i] == key)
            return true;
    return false;
}

static bool asleep(const frame *f, uint64_t key)
{
    for (ptrdiff_t i = 0; i < arrlen(f->sleep); i++)
        if (f->sleep[i].key == key)
            return true;
    return false;
}

static void drop_entries(entry *list)
{
    for (ptrdiff_t i = 0; i < arrlen(list); i++)
        arrfree(list[i].touched);
    arrfree(list);
}

static void pop_frame(explorer *x)
{
    frame f = arrpop(x->frames);
    arrfree(f.enabled);
    arrfree(f.backtrack);
    drop_entries(f.sleep);
}

static void drop_events(explorer *x)
{
    for (ptrdiff_t i = 0; i < arrlen(x->events); i++) {
        arrfree(x->events[i].entry.touched);
        arrfree(x->events[i].causes);
    }
    arrsetlen(x->events, 0);
}

/* ---- Section: One execution ---- */

static void push_frame(explorer *x, const candidate *c, size_t n)
{
    frame f = {0};
    for (size_t i = 0; i < n; i++) {
        arrput(f.enabled, key_of(&c[i]));
        if (has_two_orders(&c[i]))
            arrput(f.enabled, key_of(&c[i]) | BACKWARDS);
    }
    if (arrlen(x->frames)) {
        const frame *above = &arrlast(x->frames);
        const entry *taken = &arrlast(x->events).entry;
        for (ptrdiff_t i = 0; i < arrlen(above->sleep); i++)
            if (above->sleep[i].key != taken->key && !conflict(&above->sleep[i], taken))
                arrput(f.sleep, copy_of(&above->sleep[i]));
    }
    arrput(x->frames, f);
}

/* Notes that the step has to be tried at this choice, with its elements in both orders. */
static void put_down(frame *f, uint64_t key)
{
    for (ptrdiff_t i = 0; i < arrlen(f->enabled); i++)
        if ((f->enabled[i] | BACKWARDS) == (key | BACKWARDS) && !has(f->backtrack, f->enabled[i]))
            arrput(f->backtrack, f->enabled[i]);
}

/* A choice that nobody has made yet; false when all that is possible leads to nothing new. */
static bool choose_anew(explorer *x, const candidate *c, size_t n)
{
    push_frame(x, c, n);
    frame *f = &arrlast(x->frames);
    for (ptrdiff_t i = 0; i < arrlen(f->enabled); i++)
        if (!asleep(f, f->enabled[i])) {
            f->chosen = f->enabled[i];
            put_down(f, f->chosen);
            return true;
        }
    x->redundant = true;
    pop_frame(x);
    return false;
}

/* The scheduler's choice among the `n` candidates: what the path from the root prescribes, and
 * behind its end a step that has not been tried. SIZE_MAX ends the run: it is too long, it could
 * only repeat another, or the prescribed step is not possible here, which loses nothing
 * (x->outside). */
static size_t choose(void *user, scheduler *s, const candidate *c, size_t n)
{
    explorer *x = user;
    size_t depth = arrlenu(x->events), which = 0;
    x->n_own = s->n_own;
    x->window_met |= s->window_met;
    x->blocks_met |= s->next_block < s->n_blocks;
    if (depth >= MAX_STEPS) {
        x->too_long = true;
        return SIZE_MAX;
    }
    if (depth >= arrlenu(x->frames) && !choose_anew(x, c, n))
        return SIZE_MAX;
    uint64_t chosen = x->frames[depth].chosen;
    while (which < n && key_of(&c[which]) != (chosen & ~(uint64_t)BACKWARDS))
        which++;
    if (which == n) {
        x->outside = true;
        return SIZE_MAX;
    }
    s->backwards = chosen & BACKWARDS;
    event e = {.entry = entry_of(&c[which], chosen)};
    for (uint32_t i = 0; i < schedule_candidate(&c[which])->n_causes; i++)
        arrput(e.causes, c[which].task->causes[i]);
    arrput(x->events, e);
    return which;
}

/* ---- Section: What else to try ---- */

static bool bit(const explorer *x, size_t later, size_t earlier)
{
    return x->before[later * x->words + earlier / 64] >> (earlier % 64) & 1;
}

static void set_before(explorer *x, size_t later, size_t earlier)
{
    uint64_t *to = &x->before[later * x->words], *from = &x->before[earlier * x->words];
    for (size_t w = 0; w < x->words; w++)
        to[w] |= from[w];
    to[earlier / 64] |= (uint64_t)1 << (earlier % 64);
}

/* Must the later step follow: by a token, by a value, or because it waits for the preceding
 * kernel? */
static bool must_follow(const explorer *x, const interp_run *run, const interp_step *steps,
                        size_t earlier, size_t later)
{
    for (ptrdiff_t i = 0; i < arrlen(x->events[later].causes); i++)
        if (x->events[later].causes[i] == earlier)
            return true; /* between blocks: a write that ended a wait */
    uint32_t node = run->instances[steps[later].instance].node;
    uint32_t block = block_of(x->events[earlier].entry.key);
    if (block == block_of(x->events[later].entry.key))
        return tokens_reach(run, run->instances[steps[earlier].instance].node, node, false);
    bool waits = false;
    for (ptrdiff_t i = 0; i < arrlen(run->waits) && block >= x->n_own && !waits; i++)
        waits = tokens_reach(run, run->waits[i], node, false);
    return waits;
}

/* Notes a step that, taken in place of step i, leads to an execution with steps i and j in the
 * other order. The step does not depend on i, and on no other step between them. */
static void try_other_order(explorer *x, size_t i, size_t j)
{
    frame *f = &x->frames[i];
    uint64_t pick = 0;
    bool found = false;
    for (size_t k = i + 1; k <= j; k++) {
        if (k < j && bit(x, k, i))
            continue;
        bool first = true;
        for (size_t m = i + 1; m < k && first; m++)
            first = bit(x, m, i) || !bit(x, k, m);
        uint64_t key = x->events[k].entry.key;
        if (!first)
            continue;
        if (has(f->backtrack, key))
            return;
        if (!found || k == j)
            pick = key;
        found = true;
    }
    if (!found || !has(f->enabled, pick)) {
        x->outside = true; /* nothing is lost: all that is possible here gets its turn */
        for (ptrdiff_t k = 0; k < arrlen(f->enabled); k++)
            if (!has(f->backtrack, f->enabled[k]))
                arrput(f->backtrack, f->enabled[k]);
        return;
    }
    put_down(f, pick);
}

/* Finds, for each step, the earlier steps that conflict with it and that nothing orders before it,
 * and notes for each of them the other order. x->before is the relation between steps, a row of
 * bits a step; it lives as long as this call. (Source sets: Abdulla et al., Optimal Dynamic Partial
 * Order Reduction, 2014.) */
static void look_for_races(explorer *x, const interp_run *run)
{
    const interp_step *steps;
    size_t n = interp_steps(run, &steps);
    if (n > arrlenu(x->events))
        n = arrlenu(x->events);
    x->words = (n + 63) / 64;
    x->before = calloc(n * x->words + 1, sizeof x->before[0]);
    if (!x->before)
        tr_no_memory();
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i-- > 0;) /* the latest first: what they order needs no look */
            if (!bit(x, j, i) && must_follow(x, run, steps, i, j))
                set_before(x, j, i);
        size_t *races = NULL;
        for (size_t i = j; i-- > 0;)
            if (!bit(x, j, i) && conflict(&x->events[i].entry, &x->events[j].entry)) {
                arrput(races, i);
                set_before(x, j, i);
            }
        for (ptrdiff_t r = 0; r < arrlen(races); r++)
            try_other_order(x, races[r], j);
        arrfree(races);
    }
    free(x->before);
    x->before = NULL;
}

/* The deepest choice with something left to try; false when there is none. */
static bool next_choice(explorer *x)
{
    while (arrlen(x->frames)) {
        size_t depth = arrlenu(x->frames) - 1;
        frame *f = &x->frames[depth];
        entry tried = depth < arrlenu(x->events) ? copy_of(&x->events[depth].entry)
                                                 : (entry){.key = f->chosen};
        arrput(f->sleep, tried);
        for (ptrdiff_t i = 0; i < arrlen(f->backtrack); i++)
            if (!asleep(f, f->backtrack[i])) {
                f->chosen = f->backtrack[i];
                return true;
            }
        pop_frame(x);
    }
    return false;
}

interp_exploration interp_explore(const ir_function *kernel, const concrete_launch *launch,
                                  const model_choices *choices, const interp_limits *limits,
                                  size_t n_blocks, const uint32_t *blocks, uint64_t max_runs,
                                  bool (*visit)(void *user, const interp_run *run), void *user)
{
    explorer x = {0};
    interp_exploration result = {.complete = true};
    if (!max_runs)
        max_runs = DEFAULT_RUNS;
    for (bool more = true; more;) {
        if (result.runs + result.pruned >= max_runs) {
            result.complete = false;
            result.why = "there are more executions than were asked for";
            break;
        }
        drop_events(&x);
        x.redundant = false;
        scheduler s = {.window = 64, .residents = 64, .choose = choose, .user = &x};
        interp_run *run = schedule_execute(kernel, launch, choices, limits, n_blocks, blocks, &s);
        interp_status status = interp_run_status(run);
        if (!x.redundant && !x.too_long && status != INTERP_DONE && status != INTERP_HANG) {
            result.complete = false;
            result.why = "an execution did not come to its end";
        }
        look_for_races(&x, run);
        if (x.redundant)
            result.pruned++;
        else
            result.runs++;
        more = x.redundant || visit(user, run);
        interp_run_free(run);
        if (!more) {
            result.complete = false;
            result.why = "the search was ended";
        }
        more = more && next_choice(&x);
    }
    if (result.complete && (x.window_met || x.blocks_met || x.too_long || x.outside)) {
        result.complete = false;
        result.why = x.too_long     ? "an execution has too many steps"
                     : x.window_met ? "a block has too many ops that wait for nothing"
                     : x.blocks_met ? "there are more blocks than begin at once"
                                    : "an execution could not be repeated";
    }
    while (arrlen(x.frames))
        pop_frame(&x);
    arrfree(x.frames);
    drop_events(&x);
    arrfree(x.events);
    return result;
}

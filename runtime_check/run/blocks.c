/* Finds who touches which element of a launch: a run of the interpreter on it knows. */
#include "run/blocks.h"

#include "run/code.h"
#include "run/contents.h"
#include "run/report.h"
#include "run/target.h"
#include "run/tiles.h"
#include "run/witness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "interp/interp.h"

#define EVENTS_AT_ONCE 4e6 /* some hundred MB */
#define STEPS_AT_ONCE  5e7
#define MOST_STEPS     300000000 /* of a launch in pieces: some seconds */
#define MOST_EVENTS    30000000
#define MOST_BYTES     ((uint64_t)256 << 20) /* of all buffers: more is left alone */
#define MOST_BLOCKS    ((int64_t)1 << 24)
#define MOST_SOURCES   16 /* of one block, with a finding and as many without */

static const interp_limits at_once = {.steps = 100000000, .events = 8000000, .values = true};
/* Limits for blocks that take turns: each step costs many times as much. */
static const interp_limits in_turns = {.steps = 20000000, .events = 8000000, .values = true};

typedef struct touch_change { /* what a touch becomes when one more block comes */
    struct {
        uint32_t touch;
        gpu_toucher by;
        uint32_t reads; /* 0: writes */
    } key;
    uint32_t value;
} touch_change;

typedef struct touch_number {
    gpu_touch key;
    uint32_t value;
} touch_number;

typedef struct known_source {
    gpu_source key;
    char value;
} known_source;

typedef struct tracing {
    const run_target *t;
    const gpu_plan *plan;
    const interp_run *run;
    gpu_blocks *blocks;
    uint32_t *op_numbers;  /* by ordinal: into blocks->ops */
    gpu_touch *touches;    /* stb_ds array */
    touch_number *numbers; /* stb_ds map */
    touch_change *changes; /* stb_ds map */
    touch_change last;
    known_source *sources;   /* stb_ds map */
    uint8_t *n_sources[2];   /* per block: without and with a finding */
    gpu_toucher last_reader; /* looked at this touch already */
    uint32_t last_read;
    bool reads_outputs;
    size_t n_blocks;
} tracing;

static const gpu_toucher nobody = {GPU_NOBODY, 0};

/* ---- Touches ---- */

static bool same_toucher(gpu_toucher a, gpu_toucher b)
{
    return a.block == b.block && a.op == b.op;
}

/* How much it says that `other` writes too. */
static int weight(const gpu_blocks *b, gpu_toucher writer, gpu_toucher other)
{
    if (other.block == GPU_NOBODY)
        return 0;
    bool race = plan_race_between(b, writer, other) != NULL;
    return writer.block == other.block ? 2 * race : 1 + 2 * race;
}

static gpu_touch with_writer(const gpu_blocks *b, gpu_touch touch, gpu_toucher by)
{
    if (touch.writer.block == GPU_NOBODY)
        touch.writer = by;
    else if (weight(b, touch.writer, by) > weight(b, touch.writer, touch.other))
        touch.other = by;
    return touch;
}

static gpu_touch with_reader(const gpu_blocks *b, gpu_touch touch, gpu_toucher by)
{
    bool races = (touch.writer.block != GPU_NOBODY && plan_race_between(b, touch.writer, by)) ||
                 (touch.other.block != GPU_NOBODY && plan_race_between(b, touch.other, by));
    if (races && touch.reader.block == GPU_NOBODY)
        touch.reader = by;
    return touch;
}

static uint32_t number_of(tracing *g, gpu_touch touch)
{
    ptrdiff_t at = hmgeti(g->numbers, touch);
    if (at >= 0)
        return g->numbers[at].value;
    uint32_t number = (uint32_t)arrlenu(g->touches);
    arrput(g->touches, touch);
    hmput(g->numbers, touch, number);
    return number;
}

/* Neighbours mostly make the same change as the element before them. */
static uint32_t changed(tracing *g, uint32_t touch, gpu_toucher by, bool reads)
{
    touch_change change = {.key = {touch, by, reads}};
    if (g->last.key.touch == touch && same_toucher(g->last.key.by, by) &&
        g->last.key.reads == reads)
        return g->last.value;
    ptrdiff_t at = hmgeti(g->changes, change.key);
    if (at >= 0) {
        g->last = g->changes[at];
        return g->last.value;
    }
    gpu_touch from = g->touches[touch];
    change.value =
        number_of(g, reads ? with_reader(g->blocks, from, by) : with_writer(g->blocks, from, by));
    hmputs(g->changes, change);
    g->last = change;
    return change.value;
}

/* ---- Events ---- */

static gpu_toucher toucher_of(const tracing *g, uint32_t instance)
{
    const interp_instance *i = interp_instance_of(g->run, instance);
    return (gpu_toucher){i->block, g->op_numbers[i->op->ordinal]};
}

static model_access access_of(const tracing *g, uint32_t instance)
{
    model_access access = 0;
    return model_access_of(interp_op_of(g->run, instance), &access) ? access : 0;
}

/* Returns what is known of the event's element; NULL when it lies in no buffer that is kept. */
static uint32_t *touch_at(const tracing *g, const interp_event *e)
{
    if (e->out_of_buffer || e->buffer < 0 || (size_t)e->buffer >= g->plan->n_buffers ||
        !g->blocks->elements[e->buffer])
        return NULL;
    const gpu_buffer *b = &g->plan->buffers[e->buffer];
    return (uint64_t)e->address < b->bytes
               ? &g->blocks->elements[e->buffer][e->address / plan_element_bytes(b->element)]
               : NULL;
}

/* Calls `look` on each element that is touched. */
static void each_touched(tracing *g, size_t n, const interp_event *events,
                         void (*look)(tracing *g, gpu_toucher by, model_access does,
                                      uint32_t *touch))
{
    uint32_t known = UINT32_MAX;
    gpu_toucher by = nobody;
    model_access does = 0;
    for (size_t i = 0; i < n; i++) {
        const interp_event *e = &events[i];
        if (e->instance != known) {
            known = e->instance;
            by = toucher_of(g, known);
            does = access_of(g, known);
        }
        uint32_t *touch = touch_at(g, e);
        if (touch)
            look(g, by, does, touch);
    }
}

static void note_writer(tracing *g, gpu_toucher by, model_access does, uint32_t *touch)
{
    g->reads_outputs |= (does & MODEL_READ) != 0;
    if (does & MODEL_WRITE)
        *touch = changed(g, *touch, by, false);
}

/* A source is one once, however often it is read. */
static void note_source(tracing *g, gpu_toucher by, gpu_toucher writer)
{
    bool race = plan_race_between(g->blocks, by, writer) != NULL;
    gpu_source source = {by, writer};
    if (writer.block == GPU_NOBODY || (writer.block == by.block && !race) ||
        g->n_sources[race][by.block] == MOST_SOURCES || hmgeti(g->sources, source) >= 0)
        return;
    hmput(g->sources, source, 1);
    g->n_sources[race][by.block]++;
}

static void note_reader(tracing *g, gpu_toucher by, model_access does, uint32_t *touch)
{
    if (!(does & MODEL_READ))
        return;
    *touch = changed(g, *touch, by, true);
    if (same_toucher(g->last_reader, by) && g->last_read == *touch)
        return;
    g->last_reader = by;
    g->last_read = *touch;
    gpu_touch now = g->touches[*touch];
    note_source(g, by, now.writer);
    note_source(g, by, now.other);
}

static void note_writers(tracing *g, size_t n, const interp_event *events)
{
    each_touched(g, n, events, note_writer);
}

static void note_readers(tracing *g, size_t n, const interp_event *events)
{
    each_touched(g, n, events, note_reader);
}

/* ---- All blocks, or those of some after those of others ---- */

typedef void (*event_visitor)(tracing *g, size_t n, const interp_event *events);

static bool has_atomics(const ir_function *f)
{
    for (const ir_op *op = ir_first_op(f); op; op = ir_next_op(op))
        if (ir_op_info_of(op->code)->effects & IR_ATOMIC)
            return true;
    return false;
}

/* Does no block decide what another does? Then a few of them at a time, on the contents at launch,
 * touch what they touch in the whole launch. */
static bool may_be_cut(const tracing *g)
{
    const ir_function *kernel = g->t->kernel->function;
    return !has_atomics(kernel) && !run_waits_for_others(kernel);
}

/* `each` blocks at a time. False: what is seen is a part. */
static bool visit_in_pieces(tracing *g, const concrete_launch *launch, size_t each,
                            event_visitor visitor)
{
    uint32_t *blocks = tr_allocate_zeroed(each, sizeof *blocks);
    uint64_t steps = 0, seen = 0;
    bool good = true;
    for (size_t first = 0; first < g->n_blocks && good; first += each) {
        size_t count = g->n_blocks - first < each ? g->n_blocks - first : each;
        for (size_t i = 0; i < count; i++)
            blocks[i] = (uint32_t)(first + i);
        interp_run *piece = interp_execute_blocks(g->t->kernel->function, launch,
                                                  &g->t->s->rules.model, &at_once, count, blocks);
        const interp_event *events;
        size_t n = interp_events(piece, &events);
        g->run = piece;
        visitor(g, n, events);
        steps += interp_work(piece);
        seen += n;
        good = interp_run_status(piece) == INTERP_DONE && n == interp_event_count(piece) &&
               ((steps <= MOST_STEPS && seen <= MOST_EVENTS) || first + each >= g->n_blocks);
        interp_run_free(piece);
    }
    free(blocks);
    return good;
}

/* How many blocks the interpreter takes in at once, by what `n_done` of them cost it. */
static size_t piece_by(const tracing *g, const interp_run *run, size_t n_done)
{
    double share = fmin(EVENTS_AT_ONCE / (double)(interp_event_count(run) + 1),
                        STEPS_AT_ONCE / (double)(interp_work(run) + 1));
    return (size_t)fmax(1, fmin(share * (double)n_done, (double)g->n_blocks));
}

static size_t piece_of(const tracing *g, const interp_run *whole, const concrete_launch *launch)
{
    if (interp_run_status(whole) == INTERP_DONE)
        return piece_by(g, whole, g->n_blocks);
    interp_run *first = interp_execute_blocks(g->t->kernel->function, launch, &g->t->s->rules.model,
                                              &at_once, 1, (uint32_t[]){0});
    size_t piece = piece_by(g, first, 1);
    interp_run_free(first);
    return piece;
}

/* Writers first, as readers may come before them. Mostly nothing is read that the launch writes. */
static void visit(tracing *g, const interp_run *run, const concrete_launch *launch)
{
    bool all = interp_run_status(run) == INTERP_DONE && interp_event_count(run) <= at_once.events;
    if (!all && may_be_cut(g)) {
        size_t piece = piece_of(g, run, launch);
        all = visit_in_pieces(g, launch, piece, note_writers);
        if (g->reads_outputs)
            all = visit_in_pieces(g, launch, piece, note_readers) && all;
    } else {
        const interp_event *events;
        size_t n = interp_events(run, &events);
        g->run = run;
        note_writers(g, n, events);
        note_readers(g, n, events);
    }
    g->blocks->part = !all;
}

/* ---- What is known before the run ---- */

static void take_ops(tracing *g)
{
    gpu_op *ops = NULL;
    uint32_t highest = 0;
    const ir_function *f = g->t->kernel->function;
    for (const ir_op *op = ir_first_op(f); op; op = ir_next_op(op))
        highest = op->ordinal > highest ? op->ordinal : highest;
    g->op_numbers = TR_NEW_ARRAY(g->t->input->arena, uint32_t, highest + 1);
    for (const ir_op *op = ir_first_op(f); op; op = ir_next_op(op)) {
        gpu_op taken = {ir_op_info_of(op->code)->mnemonic, op->place ? op->place->line : 0};
        g->op_numbers[op->ordinal] = (uint32_t)arrlenu(ops);
        if (ir_is_memory_op(op))
            arrput(ops, taken);
    }
    g->blocks->n_ops = arrlenu(ops);
    g->blocks->ops = tr_arena_copy(g->t->s->arena, ops, arrlenu(ops) * sizeof *ops);
    arrfree(ops);
}

static void take_races(tracing *g, size_t n, const run_witness *witnesses)
{
    gpu_race *races = TR_NEW_ARRAY(g->t->s->arena, gpu_race, n + 1);
    for (size_t i = 0; i < n; i++) {
        const run_witness *w = &witnesses[i];
        races[i] =
            (gpu_race){{g->op_numbers[w->ops[0]->ordinal], g->op_numbers[w->ops[1]->ordinal]},
                       w->blocks[0] == w->blocks[1],
                       w->words};
    }
    g->blocks->n_races = n;
    g->blocks->races = races;
}

static void begin(tracing *g)
{
    gpu_touch none = {nobody, nobody, nobody};
    number_of(g, none);
    g->last.key.by = nobody; /* no change yet */
    g->last_reader = nobody;
    for (int race = 0; race < 2; race++)
        g->n_sources[race] = tr_allocate_zeroed(g->n_blocks, 1);
    tr_arena *arena = g->t->s->arena;
    g->blocks->elements = TR_NEW_ARRAY(arena, uint32_t *, g->plan->n_buffers + 1);
    for (size_t i = 0; i < g->plan->n_buffers; i++) {
        const gpu_buffer *b = &g->plan->buffers[i];
        if (b->output)
            g->blocks->elements[i] =
                TR_NEW_ARRAY(arena, uint32_t, b->bytes / (uint64_t)plan_element_bytes(b->element));
    }
}

static void end(tracing *g)
{
    tr_arena *arena = g->t->s->arena;
    gpu_blocks *b = g->blocks;
    b->n_touches = arrlenu(g->touches);
    b->touches = tr_arena_copy(arena, g->touches, b->n_touches * sizeof *b->touches);
    b->n_sources = hmlenu(g->sources);
    b->sources = TR_NEW_ARRAY(arena, gpu_source, b->n_sources + 1);
    for (size_t i = 0; i < b->n_sources; i++)
        b->sources[i] = g->sources[i].key;
    arrfree(g->touches);
    hmfree(g->numbers);
    hmfree(g->changes);
    hmfree(g->sources);
    free(g->n_sources[0]);
    free(g->n_sources[1]);
}

/* ---- The whole ---- */

static const char *too_large(tr_arena *arena, const gpu_plan *plan, int64_t n_blocks)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < plan->n_buffers; i++)
        bytes += plan->buffers[i].bytes;
    if (bytes > MOST_BYTES)
        return tr_arena_printf(arena,
                               "the interpreter looks at launches of up to %llu MiB, this one has "
                               "%llu",
                               (unsigned long long)(MOST_BYTES >> 20),
                               (unsigned long long)(bytes >> 20));
    if (n_blocks > MOST_BLOCKS)
        return tr_arena_printf(arena, "the launch has more than %lld tile blocks",
                               (long long)MOST_BLOCKS);
    return NULL;
}

gpu_blocks *run_trace_blocks(const run_target *t, const gpu_plan *plan, size_t n_witnesses,
                             const run_witness *witnesses)
{
    tr_arena *arena = t->s->arena;
    int64_t n_blocks = concrete_launch_blocks(t->launch);
    const char *why = too_large(arena, plan, n_blocks);
    if (why) {
        gpu_blocks *none = plan_blocks_nobody(arena, t->checker, why);
        none->synchronises = run_synchronises(t->kernel->function);
        return none;
    }
    concrete_launch launch = run_filled_launch(t, plan);
    interp_run *run =
        interp_execute(t->kernel->function, &launch, &t->s->rules.model,
                       run_waits_for_others(t->kernel->function) ? &in_turns : &at_once, NULL);
    interp_status status = interp_run_status(run);
    gpu_blocks *blocks;
    if (status == INTERP_DONE || status == INTERP_LIMIT) {
        blocks = TR_NEW(arena, gpu_blocks);
        blocks->checker = t->checker;
        tracing g = {.t = t, .plan = plan, .blocks = blocks, .n_blocks = (size_t)n_blocks};
        take_ops(&g);
        take_races(&g, n_witnesses, witnesses);
        begin(&g);
        visit(&g, run, &launch);
        end(&g);
    } else {
        blocks = plan_blocks_nobody(
            arena, t->checker,
            tr_arena_printf(arena, "the interpreter does not come to the launch's end: %s",
                            interp_run_why(run) ? interp_run_why(run) : "it does not say why"));
    }
    interp_run_free(run);
    blocks->synchronises = run_synchronises(t->kernel->function);
    return blocks;
}

void run_name_blocks(const run_target *t, const gpu_plan *plan, size_t n_witnesses,
                     const run_witness *witnesses, run_report *report)
{
    run_take_blocks(t->s->arena, plan, run_trace_blocks(t, plan, n_witnesses, witnesses), report);
}

/* Which tile blocks lie behind the elements that differ: a run of the interpreter on the same
 * launch knows who touched what. Elements that several blocks wrote name those; where one block
 * alone wrote an element, what it read of others decides. */
#include "driver/run_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/ds.h"

#define NOBODY     UINT32_MAX
#define MAX_PAIRS  4096 /* that are counted */
#define MAX_LISTED 32

#define EVENTS_AT_ONCE 8e6
#define MOST_BYTES     ((uint64_t)256 << 20) /* of all buffers: more is left alone */

typedef struct toucher {
    uint32_t block, op; /* linear id, ordinal */
} toucher;

typedef struct writers { /* of one buffer, per element: two different blocks, or NOBODY */
    toucher *first, *second;
    uint64_t elements;
    int width;
} writers;

typedef struct pair_key {
    uint32_t blocks[2];
    uint32_t ops[2]; /* ordinals, each of the block beside it */
} pair_key;

typedef struct pair_count {
    pair_key key;
    uint64_t value;
} pair_count;

typedef struct tracing {
    const run_target *t;
    const gpu_plan *plan;
    const interp_run *run;
    writers *written;       /* per buffer of the plan */
    pair_count *pairs;      /* stb_ds map: elements that differ */
    uint64_t *differing_of; /* per block: elements that it alone wrote */
    size_t n_blocks;
    run_report *report;
} tracing;

static toucher toucher_of(const tracing *g, uint32_t instance)
{
    const interp_instance *i = interp_instance_of(g->run, instance);
    return (toucher){i->block, i->op->ordinal};
}

static bool accesses(const tracing *g, uint32_t instance, model_access wanted)
{
    model_access access = 0;
    return model_access_of(interp_instance_of(g->run, instance)->op, &access) && (access & wanted);
}

/* The element of the event; `elements` of the buffer when it lies in none that is kept. */
static uint64_t element_of(const tracing *g, const interp_event *e)
{
    if (e->out_of_buffer || e->buffer < 0 || (size_t)e->buffer >= g->plan->n_buffers)
        return UINT64_MAX;
    const writers *w = &g->written[e->buffer];
    uint64_t element = w->first ? (uint64_t)e->address / (uint64_t)w->width : UINT64_MAX;
    return w->first && element < w->elements ? element : UINT64_MAX;
}

static void note_writers(tracing *g, size_t n, const interp_event *events)
{
    uint32_t known = NOBODY;
    toucher now = {0};
    bool writes = false;
    for (size_t i = 0; i < n; i++) {
        const interp_event *e = &events[i];
        if (e->instance != known) {
            known = e->instance;
            writes = accesses(g, known, MODEL_WRITE);
            now = toucher_of(g, known);
        }
        uint64_t element = writes ? element_of(g, e) : UINT64_MAX;
        if (element == UINT64_MAX)
            continue;
        writers *w = &g->written[e->buffer];
        if (w->first[element].block == NOBODY)
            w->first[element] = now;
        else if (w->second[element].block == NOBODY && w->first[element].block != now.block)
            w->second[element] = now;
    }
}

static void count_pair(tracing *g, toucher a, toucher b, uint64_t elements)
{
    const toucher both[] = {a, b};
    int low = a.block > b.block;
    pair_key key = {{both[low].block, both[!low].block}, {both[low].op, both[!low].op}};
    ptrdiff_t at = hmgeti(g->pairs, key);
    if (at >= 0)
        g->pairs[at].value += elements;
    else if (hmlenu(g->pairs) < MAX_PAIRS)
        hmput(g->pairs, key, elements);
}

/* Elements that differ: of several blocks, or of one, whose reads are looked at next. */
static void count_differing(tracing *g, const run_report *report, run_blocks *found)
{
    for (size_t i = 0, o = 0; i < g->plan->n_buffers; i++) {
        if (!g->plan->buffers[i].output)
            continue;
        const run_output *output = &report->outputs[o++];
        const writers *w = &g->written[i];
        for (uint64_t k = 0; output->heat && k < output->elements && w->first; k++) {
            if (!output->heat[k])
                continue;
            if (w->second[k].block != NOBODY) {
                found->by_several++;
                count_pair(g, w->first[k], w->second[k], 1);
            } else if (w->first[k].block != NOBODY) {
                found->by_one++;
                g->differing_of[w->first[k].block]++;
            }
        }
    }
}

/* One pair for each read by such a block of what another block writes: all its elements may hang on
 * it. A run of reads from one instance counts once. */
static void count_readers(tracing *g, size_t n, const interp_event *events)
{
    uint32_t known = NOBODY;
    toucher now = {0}, last = {NOBODY, 0};
    bool reads = false;
    for (size_t i = 0; i < n; i++) {
        const interp_event *e = &events[i];
        if (e->instance != known) {
            known = e->instance;
            now = toucher_of(g, known);
            last.block = NOBODY;
            reads = g->differing_of[now.block] && accesses(g, known, MODEL_READ);
        }
        uint64_t element = reads ? element_of(g, e) : UINT64_MAX;
        if (element == UINT64_MAX)
            continue;
        const writers *w = &g->written[e->buffer];
        const toucher of[] = {w->first[element], w->second[element]};
        for (int k = 0; k < 2; k++)
            if (of[k].block != NOBODY && of[k].block != now.block &&
                (of[k].block != last.block || of[k].op != last.op)) {
                last = of[k];
                count_pair(g, now, last, g->differing_of[now.block]);
                break;
            }
    }
}

/* ---- All events, or those of some blocks after those of others ---- */

static bool has_atomics(const ir_function *f)
{
    for (const ir_op *op = ir_first_op(f); op; op = ir_next_op(op))
        if (ir_op_info_of(op->code)->effects & IR_ATOMIC)
            return true;
    return false;
}

typedef void (*event_visitor)(tracing *g, size_t n, const interp_event *events);

/* A long run lists only its beginning. Where no block decides what another does, a few of them at a
 * time do the same, on the contents at launch. False: what is seen is a part. */
static bool visit(tracing *g, const interp_run *whole, const interp_launch *launch,
                  event_visitor visitor)
{
    const interp_event *events;
    size_t n = interp_events(whole, &events);
    uint64_t all = interp_event_count(whole);
    const ir_function *kernel = g->t->kernel->function;
    g->run = whole;
    if (n >= all || has_atomics(kernel) || run_waits_for_others(kernel) ||
        g->n_blocks > UINT32_MAX) {
        visitor(g, n, events);
        return n >= all;
    }
    size_t each = (size_t)((double)g->n_blocks * EVENTS_AT_ONCE / (double)all) + 1;
    uint32_t *blocks = calloc(each, sizeof *blocks);
    bool good = true;
    for (size_t first = 0; first < g->n_blocks && good; first += each) {
        size_t count = g->n_blocks - first < each ? g->n_blocks - first : each;
        for (size_t i = 0; i < count; i++)
            blocks[i] = (uint32_t)(first + i);
        interp_run *part = interp_execute_blocks(kernel, launch, &g->t->s->rules.model,
                                                 &run_with_values, count, blocks);
        good = interp_run_status(part) == INTERP_DONE;
        g->run = part;
        n = interp_events(part, &events);
        visitor(g, n, events);
        interp_run_free(part);
    }
    g->run = whole;
    free(blocks);
    return good;
}

/* ---- Into the report ---- */

static const ir_op *op_numbered(const ir_function *f, uint32_t ordinal)
{
    const ir_op *op = ir_first_op(f);
    while (op && op->ordinal != ordinal)
        op = ir_next_op(op);
    return op;
}

static const run_witness *witness_of(const pair_key *key, size_t n, const run_witness *witnesses)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t a = witnesses[i].ops[0]->ordinal, b = witnesses[i].ops[1]->ordinal;
        if ((key->ops[0] == a && key->ops[1] == b) || (key->ops[0] == b && key->ops[1] == a))
            return &witnesses[i];
    }
    return NULL;
}

static int by_elements(const void *a, const void *b)
{
    const pair_count *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return memcmp(&x->key, &y->key, sizeof x->key);
}

static void take_pair(const tracing *g, const pair_count *from, const run_witness *same,
                      run_pair *to)
{
    const ir_function *f = g->t->kernel->function;
    *to = (run_pair){.elements = from->value, .finding = same ? same->words : NULL};
    for (int i = 0; i < 2; i++) {
        const ir_op *op = op_numbered(f, from->key.ops[i]);
        interp_block_of(g->run, from->key.blocks[i], to->blocks[i]);
        to->lines[i] = op && op->place ? op->place->line : 0;
        to->what[i] = op ? ir_op_info_of(op->code)->mnemonic : "";
    }
}

static void take_pairs(const tracing *g, size_t n_witnesses, const run_witness *witnesses,
                       run_blocks *found)
{
    tr_arena *arena = g->t->s->arena;
    size_t n = hmlenu(g->pairs);
    pair_count *sorted = TR_NEW_ARRAY(arena, pair_count, n + 1);
    for (size_t i = 0; i < n; i++)
        sorted[i] = g->pairs[i];
    qsort(sorted, n, sizeof *sorted, by_elements);
    found->n_pairs = n;
    found->n_listed = n < MAX_LISTED ? n : MAX_LISTED;
    found->pairs = TR_NEW_ARRAY(arena, run_pair, found->n_listed + 1);
    for (size_t i = 0; i < n; i++) {
        const run_witness *same = witness_of(&sorted[i].key, n_witnesses, witnesses);
        if (i < found->n_listed)
            take_pair(g, &sorted[i], same, &found->pairs[i]);
        found->as_reported += same != NULL;
    }
}

static void allocate(tracing *g)
{
    g->written = calloc(g->plan->n_buffers + 1, sizeof *g->written);
    for (size_t i = 0; i < g->plan->n_buffers; i++) {
        const gpu_buffer *b = &g->plan->buffers[i];
        writers *w = &g->written[i];
        w->width = gpu_element_bytes(b->element);
        w->elements = b->bytes / (uint64_t)w->width;
        if (!b->output)
            continue;
        w->first = malloc(w->elements * sizeof *w->first + 1);
        w->second = malloc(w->elements * sizeof *w->second + 1);
        if (!w->first || !w->second)
            abort();
        memset(w->first, 0xFF, w->elements * sizeof *w->first);
        memset(w->second, 0xFF, w->elements * sizeof *w->second);
    }
    g->differing_of = calloc(g->n_blocks + 1, sizeof *g->differing_of);
}

static void release(tracing *g)
{
    for (size_t i = 0; i < g->plan->n_buffers; i++) {
        free(g->written[i].first);
        free(g->written[i].second);
    }
    free(g->written);
    free(g->differing_of);
    hmfree(g->pairs);
}

static bool any_differing(const run_report *report)
{
    for (size_t i = 0; i < report->n_outputs; i++)
        if (report->outputs[i].differing)
            return true;
    return false;
}

/* Writers of elements, and of tiles. */
static void note_both(tracing *g, size_t n, const interp_event *events)
{
    note_writers(g, n, events);
    for (size_t i = 0, o = 0; i < g->plan->n_buffers; i++) {
        run_tiles *tiles = g->plan->buffers[i].output ? g->report->outputs[o++].tiles : NULL;
        if (tiles)
            run_tiles_writers(g->t->s->arena, g->run, (int)i, &g->plan->buffers[i], tiles);
    }
}

void run_name_blocks(const run_target *t, const gpu_plan *plan, size_t n_witnesses,
                     const run_witness *witnesses, run_report *report)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < plan->n_buffers; i++)
        bytes += plan->buffers[i].bytes;
    if (bytes > MOST_BYTES)
        return;
    interp_launch launch = run_filled_launch(t, plan);
    interp_run *run = run_in_turns(t->kernel->function, &launch, &t->s->rules.model, plan->seed, 0);
    tracing g = {.t = t,
                 .plan = plan,
                 .run = run,
                 .report = report,
                 .n_blocks = (size_t)(launch.grid[0] * launch.grid[1] * launch.grid[2])};
    if (interp_run_status(run) == INTERP_DONE) {
        allocate(&g);
        bool whole = visit(&g, run, &launch, note_both);
        if (any_differing(report)) {
            run_blocks *found = TR_NEW(t->s->arena, run_blocks);
            count_differing(&g, report, found);
            if (found->by_one)
                visit(&g, run, &launch, count_readers);
            take_pairs(&g, n_witnesses, witnesses, found);
            found->whole = whole;
            report->blocks = found;
        }
        release(&g);
    }
    interp_run_free(run);
}

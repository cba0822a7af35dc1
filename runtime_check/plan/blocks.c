/* Elements that differ -> pairs of tile blocks, by who touched what. */
#include "plan/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "plan/result.h"

#define MAX_PAIRS  (1 << 20) /* that are counted */
#define MAX_LISTED 32

const gpu_race *plan_race_between(const gpu_blocks *blocks, gpu_toucher a, gpu_toucher b)
{
    for (size_t i = 0; i < blocks->n_races; i++) {
        const gpu_race *r = &blocks->races[i];
        if (r->inside == (a.block == b.block) &&
            ((r->ops[0] == a.op && r->ops[1] == b.op) || (r->ops[0] == b.op && r->ops[1] == a.op)))
            return r;
    }
    return NULL;
}

bool plan_is_racing(const gpu_blocks *blocks, uint32_t touch)
{
    const gpu_touch *t = &blocks->touches[touch];
    if (!touch)
        return false;
    if (t->reader.block != GPU_NOBODY)
        return true;
    return t->other.block != GPU_NOBODY && ((!blocks->checker && !blocks->n_races) ||
                                            plan_race_between(blocks, t->writer, t->other));
}

bool plan_is_proved(const gpu_plan *plan)
{
    const char *verdicts[] = {"race-free", "conditional"}; /* which the launch keeps */
    bool proved = false;
    for (size_t i = 0; i < TR_COUNT(verdicts) && plan->blocks && plan->blocks->checker; i++)
        proved |= strncmp(plan->blocks->checker, verdicts[i], strlen(verdicts[i])) == 0;
    return proved;
}

bool plan_may_differ(const gpu_plan *plan)
{
    return plan_is_proved(plan) && plan->blocks->synchronises && !plan->blocks->seen;
}

gpu_blocks *plan_blocks_nobody(tr_arena *arena, const char *checker, const char *why)
{
    gpu_blocks *blocks = TR_NEW(arena, gpu_blocks);
    *blocks = (gpu_blocks){.checker = checker, .nobody = why};
    return blocks;
}

/* ---- Counting ---- */

typedef struct pair_key {
    gpu_toucher a, b; /* the lower block first */
} pair_key;

typedef struct pair_count {
    pair_key key;
    uint64_t value;
} pair_count;

typedef struct block_count {
    uint32_t key;
    uint64_t value;
} block_count;

typedef struct counting {
    const gpu_plan *plan;
    const gpu_blocks *blocks;
    pair_count *pairs;   /* stb_ds maps */
    block_count *single; /* elements that the block alone wrote, in order */
    gpu_pairs *found;
} counting;

static void count_pair(counting *c, gpu_toucher a, gpu_toucher b, uint64_t elements)
{
    bool swap = a.block > b.block || (a.block == b.block && a.op > b.op);
    pair_key key = {swap ? b : a, swap ? a : b};
    ptrdiff_t at = hmgeti(c->pairs, key);
    if (at >= 0)
        c->pairs[at].value += elements;
    else if (hmlenu(c->pairs) < MAX_PAIRS)
        hmput(c->pairs, key, elements);
}

static void count_touch(counting *c, uint32_t touch, uint64_t elements)
{
    const gpu_touch *t = &c->blocks->touches[touch];
    if (!touch) {
        c->found->by_nobody += elements;
    } else if (t->other.block == GPU_NOBODY) {
        ptrdiff_t at = hmgeti(c->single, t->writer.block);
        if (at >= 0)
            c->single[at].value += elements;
        else
            hmput(c->single, t->writer.block, elements);
    } else {
        *(t->other.block == t->writer.block ? &c->found->by_order : &c->found->by_several) +=
            elements;
        count_pair(c, t->writer, t->other, elements);
    }
}

/* Elements that differ and lie beside one another mostly have one touch. */
static void count_output(counting *c, const uint32_t *touch_of, const gpu_output *output)
{
    uint64_t same = 0;
    uint32_t touch = 0;
    for (uint64_t i = 0; i < output->elements; i++) {
        if (!output->heat[i])
            continue;
        if (same && touch_of[i] != touch) {
            count_touch(c, touch, same);
            same = 0;
        }
        touch = touch_of[i];
        same++;
    }
    if (same)
        count_touch(c, touch, same);
}

/* All elements that a block alone wrote may depend on each thing that it reads of others. */
static void count_sources(counting *c)
{
    block_count *reading = NULL;
    for (size_t i = 0; i < c->blocks->n_sources; i++) {
        const gpu_source *s = &c->blocks->sources[i];
        ptrdiff_t at = hmgeti(c->single, s->reader.block);
        if (at < 0)
            continue;
        count_pair(c, s->reader, s->writer, c->single[at].value);
        hmput(reading, s->reader.block, c->single[at].value);
    }
    for (size_t i = 0; i < hmlenu(c->single); i++)
        *(hmgeti(reading, c->single[i].key) >= 0 ? &c->found->by_reader : &c->found->by_one) +=
            c->single[i].value;
    hmfree(reading);
}

/* ---- Into the result ---- */

typedef struct ranked_pair {
    pair_count count;
    const gpu_race *race;
} ranked_pair;

static int by_number(gpu_toucher a, gpu_toucher b)
{
    if (a.block != b.block)
        return a.block < b.block ? -1 : 1;
    return a.op < b.op ? -1 : a.op > b.op;
}

/* Orders what the checker reports first, then what has most elements. */
static int by_rank(const void *a, const void *b)
{
    const ranked_pair *x = a, *y = b;
    if (!x->race != !y->race)
        return x->race ? -1 : 1;
    if (x->count.value != y->count.value)
        return x->count.value > y->count.value ? -1 : 1;
    int by_first = by_number(x->count.key.a, y->count.key.a);
    return by_first ? by_first : by_number(x->count.key.b, y->count.key.b);
}

static void take_side(const counting *c, gpu_toucher from, gpu_pair *to, int side)
{
    const unsigned *grid = c->plan->grid;
    const gpu_op *op = &c->blocks->ops[from.op];
    to->what[side] = op->name;
    to->lines[side] = op->line;
    to->blocks[side][0] = from.block % grid[0];
    to->blocks[side][1] = from.block / grid[0] % grid[1];
    to->blocks[side][2] = from.block / grid[0] / grid[1];
}

static void take_pairs(tr_arena *arena, counting *c)
{
    gpu_pairs *found = c->found;
    found->n = hmlenu(c->pairs);
    found->n_listed = found->n < MAX_LISTED ? found->n : MAX_LISTED;
    found->listed = TR_NEW_ARRAY(arena, gpu_pair, found->n_listed + 1);
    ranked_pair *sorted = TR_NEW_ARRAY(arena, ranked_pair, found->n + 1);
    for (size_t i = 0; i < found->n; i++) {
        const pair_key *key = &c->pairs[i].key;
        sorted[i] = (ranked_pair){c->pairs[i], plan_race_between(c->blocks, key->a, key->b)};
        found->as_reported += sorted[i].race != NULL;
    }
    qsort(sorted, found->n, sizeof *sorted, by_rank);
    for (size_t i = 0; i < found->n_listed; i++) {
        gpu_pair *to = &found->listed[i];
        to->elements = sorted[i].count.value;
        to->finding = sorted[i].race ? sorted[i].race->words : NULL;
        take_side(c, sorted[i].count.key.a, to, 0);
        take_side(c, sorted[i].count.key.b, to, 1);
    }
}

gpu_pairs *plan_name_pairs(tr_arena *arena, const gpu_plan *plan, const gpu_output *outputs,
                           const gpu_blocks *blocks)
{
    counting c = {.plan = plan, .blocks = blocks, .found = TR_NEW(arena, gpu_pairs)};
    c.found->part = blocks->part;
    for (size_t i = 0; i < plan->n_buffers; i++)
        if (blocks->elements[i] && outputs[i].differing)
            count_output(&c, blocks->elements[i], &outputs[i]);
    count_sources(&c);
    take_pairs(arena, &c);
    hmfree(c.pairs);
    hmfree(c.single);
    return c.found;
}

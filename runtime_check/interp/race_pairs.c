/* Decides which accesses could race at all: by op, by scope, by order (A1 to A3). */
#include "interp/races_private.h"

#include <stdlib.h>

/* ---- Section: Classes ---- */

static void find_classes(sweep *w)
{
    const interp_run *run = w->run;
    class_number *numbers = NULL;
    size_t n = arrlenu(run->instances);
    w->class_of = calloc(n + 1, sizeof w->class_of[0]);
    if (!w->class_of)
        tr_no_memory();
    for (size_t i = 0; i < n; i++) {
        const ir_op *op = run->instances[i].op;
        ptrdiff_t at = hmgeti(numbers, op);
        if (at < 0) {
            class c = {.op = op, .ordering = ir_memory_ordering(op), .scope = ir_memory_scope(op)};
            model_access_of(op, &c.access);
            hmput(numbers, op, (uint32_t)arrlen(w->classes));
            arrput(w->classes, c);
            at = hmgeti(numbers, op);
        }
        w->class_of[i] = numbers[at].value;
    }
    hmfree(numbers);
}

static uint8_t pair_of(const class *a, const class *b)
{
    static const struct {
        uint8_t bit;
        bool same_block, full;
    } cases[] = {{CROSS_FULL, false, true},
                 {CROSS_PART, false, false},
                 {SAME_FULL, true, true},
                 {SAME_PART, true, false}};
    uint8_t bits = 0;
    if (!model_conflict(a->access, b->access))
        return 0;
    for (size_t i = 0; i < TR_COUNT(cases); i++)
        if (!model_mutual_scope(a->ordering, a->scope, b->ordering, b->scope, cases[i].same_block,
                                cases[i].full))
            bits |= cases[i].bit;
    return bits;
}

static bool is_alike(const class *a, const class *b)
{
    return a->access == b->access && a->ordering == b->ordering && a->scope == b->scope;
}

/* A kernel of thousands of stores has a handful of kinds of them: the model is asked about pairs of
 * kinds, and a pair of ops is looked up. */
static void find_pairs(sweep *w)
{
    size_t n = arrlenu(w->classes);
    uint32_t *kind = calloc(n + 1, sizeof *kind), *kinds = NULL; /* a class of each kind */
    w->pairs = calloc(n * n + 1, 1);
    if (!w->pairs || !kind)
        tr_no_memory();
    for (uint32_t a = 0; a < n; a++) {
        while (kind[a] < arrlenu(kinds) && !is_alike(&w->classes[a], &w->classes[kinds[kind[a]]]))
            kind[a]++;
        if (kind[a] == arrlenu(kinds))
            arrput(kinds, a);
    }
    size_t m = arrlenu(kinds);
    uint8_t *table = calloc(m * m + 1, 1);
    if (!table)
        tr_no_memory();
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b < m; b++)
            table[a * m + b] = pair_of(&w->classes[kinds[a]], &w->classes[kinds[b]]);
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            w->pairs[a * n + b] = table[kind[a] * m + kind[b]];
    free(table);
    free(kind);
    arrfree(kinds);
}

void races_classify(sweep *w)
{
    find_classes(w);
    find_pairs(w);
}

uint8_t *races_pair(sweep *w, uint32_t a, uint32_t b)
{
    return &w->pairs[(size_t)a * arrlenu(w->classes) + b];
}

bool races_possible(sweep *w, uint32_t a, uint32_t b)
{
    uint8_t wanted =
        w->partial ? CROSS_FULL | CROSS_PART | SAME_FULL | SAME_PART : CROSS_FULL | SAME_FULL;
    return *races_pair(w, a, b) & wanted;
}

bool races_pair_done(sweep *w, uint32_t a, uint32_t b, uint8_t bit)
{
    return !w->all && *races_pair(w, a, b) & bit;
}
/* ---- Section: Two accesses ---- */

static interp_event event_of(const sweep *w, const covering *c)
{
    return (interp_event){.block = c->block,
                          .instance = c->instance,
                          .in_tile = c->in_tile,
                          .buffer = w->buffer,
                          .address = c->address,
                          .out_of_buffer =
                              interp_outside(w->run, w->buffer, c->address, (int)c->width)};
}

void races_report(sweep *w, const covering *a, const covering *b, uint8_t done)
{
    if (w->found < w->limit)
        w->out[w->found++] = (interp_race){event_of(w, a), event_of(w, b)};
    *races_pair(w, a->class, b->class) |= done;
    *races_pair(w, b->class, a->class) |= done;
}

bool races_too_many(const sweep *w)
{
    return w->checks + (w->run->lazy->visited - w->visited) > w->max_checks;
}

bool races_finished(const sweep *w)
{
    return w->found >= w->limit || races_too_many(w);
}

bool races_between(sweep *w, const covering *a, const covering *b)
{
    w->checks++;
    bool same_block = a->block == b->block;
    bool full = a->address == b->address && a->width == b->width;
    uint8_t bit = same_block ? (full ? SAME_FULL : SAME_PART) : (full ? CROSS_FULL : CROSS_PART);
    if (!(*races_pair(w, a->class, b->class) & bit))
        return false;
    if (a->instance == b->instance)
        return true; /* two elements of one op */
    /* Nodes are numbered along all orders; in a weak schedule instances need not be. */
    uint32_t first = a->node < b->node ? a->node : b->node, second = a->node ^ b->node ^ first;
    if (tokens_reach(w->run, first, second, false))
        return false; /* never so between blocks (D14) */
    if (!w->synchronised || !tokens_reach(w->run, first, second, true))
        return true;
    /* Ordered, but by what was read here: in another execution it may read something else. */
    w->synchronisation_matters = true;
    return false;
}

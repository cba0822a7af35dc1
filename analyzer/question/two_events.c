/* Two events side by side: each has copies of its own of the variables that are private to a block,
 * an iteration or an element. */
#include "question/two_events.h"

#include "question/ask.h"
#include "question/basis.h"
#include "question/checker.h"
#include "question/layout.h"

#include "base/ds.h"

#include <string.h>

typedef struct renaming {
    checker *k;
    copy_relation relation;
    int copy;
} renaming;

bool copy_is_block_id(const checker *k, smt_t variable)
{
    for (int axis = 0; axis < 3; axis++)
        if (k->s->block_id[axis] == variable)
            return true;
    return false;
}

static bool is_counter(const checker *k, smt_t variable)
{
    for (size_t i = 0; i < arrlenu(k->s->loops); i++)
        if (k->s->loops[i]->counter == variable)
            return true;
    return false;
}

static smt_t rename_private(void *user, smt_ctx *ctx, smt_t term)
{
    const renaming *r = user;
    if (!summary_private(r->k->s, term))
        return NULL;
    if (r->relation != COPY_OTHER_BLOCK && copy_is_block_id(r->k, term))
        return NULL;
    if (r->relation == COPY_SAME_OP && is_counter(r->k, term))
        return NULL;
    return smt_copy(ctx, term, (unsigned)r->copy + 1);
}

smt_t copy_term(checker *k, smt_t term, copy_relation relation, int copy)
{
    if (relation == COPY_NONE)
        return term;
    renaming r = {k, relation, copy};
    return smt_map(k->ctx, term, rename_private, &r);
}

smt_t copy_blocks_differ(checker *k)
{
    smt_t differ = smt_bool_const(k->ctx, false);
    for (int axis = 0; axis < 3; axis++) {
        smt_t id = k->s->block_id[axis];
        smt_t first = copy_term(k, id, COPY_OTHER_BLOCK, 0);
        smt_t second = copy_term(k, id, COPY_OTHER_BLOCK, 1);
        differ = smt_or(k->ctx, differ, smt_ne(k->ctx, first, second));
    }
    return differ;
}

void copy_add_event(checker *k, query *conjuncts, const ix_access *access, copy_relation relation,
                    int copy)
{
    query_add(k, conjuncts, copy_term(k, k->known.launch, relation, copy));
    query_add(k, conjuncts, copy_term(k, access->path, relation, copy));
    query_add(k, conjuncts, copy_term(k, access->facts, relation, copy));
    query_add(k, conjuncts, copy_term(k, access->mask, relation, copy));
}

void copy_add_pair(checker *k, query *conjuncts, const ix_access *a, const ix_access *b,
                   copy_relation relation)
{
    copy_add_event(k, conjuncts, a, relation, 0);
    copy_add_event(k, conjuncts, b, relation, 1);
}

smt_t copy_bytes_overlap(checker *k, smt_t a, int width_a, smt_t b, int width_b)
{
    smt_ctx *ctx = k->ctx;
    smt_int rest;
    smt_t difference = smt_sub(ctx, a, b);
    smt_t remainder = smt_mod(ctx, difference, smt_int_const(ctx, width_a));
    if (width_a == width_b && smt_is_const(remainder, &rest) && rest == 0)
        return smt_eq(ctx, a, b); /* aligned to each other: all or nothing */
    return smt_and(ctx, smt_lt(ctx, a, smt_add(ctx, b, smt_int_const(ctx, width_b))),
                   smt_lt(ctx, b, smt_add(ctx, a, smt_int_const(ctx, width_a))));
}

/* Two accesses through one view of an array whose pointer, extents and strides come out of a table:
 * in one region they have one layout, if what was loaded says so. */
static bool is_one_layout(checker *k, const ix_access *a, const ix_access *b, smt_t same_region,
                          copy_relation relation)
{
    smt_ctx *ctx = k->ctx;
    if (!a->tensor || a->tensor != b->tensor)
        return false;
    smt_t differ = smt_bool_const(ctx, false);
    query conjuncts = {0};
    copy_add_pair(k, &conjuncts, a, b, relation);
    for (int d = 0; d < a->tensor->rank; d++) {
        const smt_t sizes[] = {a->tensor->shape[d], a->tensor->stride[d]};
        for (size_t i = 0; i < TR_COUNT(sizes); i++)
            differ = smt_or(ctx, differ,
                            smt_ne(ctx, copy_term(k, sizes[i], relation, 0),
                                   copy_term(k, sizes[i], relation, 1)));
    }
    query_add(k, &conjuncts, same_region);
    return smt_is_false(differ) ||
           ask_is_unsat(k, query_with(k, conjuncts, differ), "region-layout");
}

static smt_t same_coordinates(checker *k, const ix_access *a, const ix_access *b,
                              copy_relation relation)
{
    smt_t same = smt_bool_const(k->ctx, true);
    for (int d = 0; d < a->tensor->rank; d++) {
        smt_t first = copy_term(k, a->coordinate[d], relation, 0);
        smt_t second = copy_term(k, b->coordinate[d], relation, 1);
        same = smt_and(k->ctx, same, smt_eq(k->ctx, first, second));
    }
    return same;
}

/* Accesses through pointers of a table meet if they are in one region, and in one place of it. */
static smt_t same_in_regions(checker *k, const ix_access *a, const ix_access *b,
                             copy_relation relation)
{
    smt_ctx *ctx = k->ctx;
    smt_t bytes = copy_bytes_overlap(k, copy_term(k, a->bytes, relation, 0), a->width,
                                     copy_term(k, b->bytes, relation, 1), b->width);
    if (!a->region || !b->region)
        return bytes;
    smt_t first = copy_term(k, a->region, relation, 0);
    smt_t same = smt_eq(ctx, first, copy_term(k, b->region, relation, 1));
    if (is_one_layout(k, a, b, same, relation)) {
        const ix_allocation *regions = &k->s->allocations[a->allocation];
        bool is_stated = k->contract->args[k->s->allocations[regions->table].first_arg].table;
        if (!is_stated) /* else its arrays were looked at */
            basis_add(k, BASIS_ARRAYS_APART, a->allocation);
        return smt_and(ctx, same, same_coordinates(k, a, b, relation));
    }
    return smt_and(ctx, same, bytes);
}

smt_t copy_same_location(checker *k, const ix_access *a, const ix_access *b, copy_relation relation)
{
    smt_ctx *ctx = k->ctx;
    if (a->unknown || b->unknown)
        return smt_bool_const(ctx, true); /* it may be anywhere */
    if (a->allocation >= 0 && k->s->allocations[a->allocation].space == IX_REGIONS)
        return same_in_regions(k, a, b, relation);
    if (a->tensor && b->tensor && layout_is_shared(k, a->tensor, b->tensor))
        return same_coordinates(k, a, b, relation);
    smt_t bytes = copy_bytes_overlap(k, copy_term(k, a->bytes, relation, 0), a->width,
                                     copy_term(k, b->bytes, relation, 1), b->width);
    if (relation != COPY_SAME_OP || !a->half)
        return bytes;
    /* One op stores both halves of a byte together. */
    return smt_and(
        ctx, bytes,
        smt_eq(ctx, copy_term(k, a->half, relation, 0), copy_term(k, b->half, relation, 1)));
}

static void add_once(smt_t **list, smt_t term)
{
    for (size_t i = 0; i < arrlenu(*list); i++)
        if ((*list)[i] == term)
            return;
    if (!smt_is_const(term, NULL))
        arrput(*list, term);
}

void copy_add_small(checker *k, smt_t **small, const ix_access *access, copy_relation relation,
                    int copy)
{
    for (int axis = 0; axis < 3; axis++)
        add_once(small, k->s->grid[axis]);
    for (size_t i = 0; i < k->contract->n_args; i++)
        if (k->contract->args[i].kind == CONTRACT_SCALAR)
            add_once(small, contract_param(k->ctx, k->contract, i));
    for (int axis = 2; axis >= 0; axis--)
        add_once(small, copy_term(k, k->s->block_id[axis], relation, copy));
    for (size_t i = 0; i < access->n_loops; i++)
        add_once(small, copy_term(k, access->loops[i]->counter, relation, copy));
}

smt_t copy_step(smt_ctx *ctx, unsigned steps, smt_t mine, smt_t last, smt_t others)
{
    enum { LEFT = MODEL_LAST | MODEL_OTHER };
    smt_t term = smt_bool_const(ctx, false);
    TR_ASSERT(!(steps & LEFT) || !(steps & ~(unsigned)LEFT)); /* the loop was left, or it was not */
    if ((steps & LEFT) == LEFT)
        return smt_bool_const(ctx, true);
    if (steps & LEFT)
        return steps & MODEL_LAST && last ? smt_eq(ctx, mine, last) : term;
    if (!others)
        return term;
    smt_t before = smt_sub(ctx, others, smt_int_const(ctx, 1));
    if (steps & MODEL_SAME)
        term = smt_eq(ctx, mine, others);
    if (steps & MODEL_PREV)
        term = smt_or(ctx, term, smt_eq(ctx, mine, before));
    if (steps & MODEL_OLDER)
        term = smt_or(ctx, term, smt_lt(ctx, mine, before));
    return term;
}

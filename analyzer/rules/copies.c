/* Two events side by side: each has its own of what is private to a block, an iteration, an
 * element. */
#include "rules/checker.h"

#include "base/ds.h"

#include <string.h>

typedef struct renaming {
    checker *k;
    copy_relation relation;
    int copy;
} renaming;

static bool is_block_id(const checker *k, smt_t variable)
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
    if (r->relation != COPY_OTHER_BLOCK && is_block_id(r->k, term))
        return NULL;
    if (r->relation == COPY_SAME_OP && is_counter(r->k, term))
        return NULL;
    const char *name = tr_arena_printf(r->k->arena, "%s!%d", term->name, r->copy + 1);
    return smt_var(ctx, name, term->low, term->high);
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

void copy_add_event(checker *k, smt_t **conjuncts, const ix_access *access, copy_relation relation,
                    int copy)
{
    arrput(*conjuncts, copy_term(k, k->launch, relation, copy));
    arrput(*conjuncts, copy_term(k, access->path, relation, copy));
    arrput(*conjuncts, copy_term(k, access->facts, relation, copy));
    arrput(*conjuncts, copy_term(k, access->mask, relation, copy));
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

smt_t copy_same_location(checker *k, const ix_access *a, const ix_access *b, copy_relation relation)
{
    smt_ctx *ctx = k->ctx;
    if (a->unknown || b->unknown)
        return smt_bool_const(ctx, true); /* it may be anywhere */
    if (a->tensor && b->tensor && layout_is_shared(k, a->tensor, b->tensor)) {
        smt_t same = smt_bool_const(ctx, true);
        for (int d = 0; d < a->tensor->rank; d++) {
            smt_t first = copy_term(k, a->coordinate[d], relation, 0);
            smt_t second = copy_term(k, b->coordinate[d], relation, 1);
            same = smt_and(ctx, same, smt_eq(ctx, first, second));
        }
        return same;
    }
    return copy_bytes_overlap(k, copy_term(k, a->bytes, relation, 0), a->width,
                              copy_term(k, b->bytes, relation, 1), b->width);
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

const ix_access *access_of_op(const checker *k, const ir_op *op)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        if (k->s->accesses[i].op == op)
            return &k->s->accesses[i];
    return NULL;
}

/* Kernels that were compiled for launches with one tile block on an axis that they read.
 *
 * A view whose extent is a constant may have one tile along a dimension, and the kernel may index
 * that dimension by a block id all the same: its source serves extents of several tiles, too. Every
 * block but those with id 0 on the axis is undefined at such an access, so the index is in its
 * space only in launches of one block there. That is what the constants were compiled for, and no
 * mistake, so it becomes a launch precondition (`specialised-launch`) and no error. No proof uses
 * it: pairs of accesses are compared in grids of several blocks on the axis, too. A race that only
 * those have makes the verdict conditional, with that race as the example.
 *
 * Where the axis is the only one that has several blocks, the precondition would leave a single
 * block of the whole kernel. Then it is none, and the index is an error. */
#include "precondition/specialised.h"

#include "precondition/added.h"
#include "precondition/reached.h"
#include "question/ask.h"
#include "question/checker.h"

#include "base/ds.h"

/* Is `index` the block id of the axis by a number, and beside it a number? */
static bool is_block_id_of(checker *k, smt_t index, int axis)
{
    smt_int coef;
    smt_t id = k->s->block_id[axis];
    if (smt_is_const(id, NULL))
        return false;
    if (index == id)
        return true;
    if (index->kind != SMT_SUM || index->n_args != 1 || index->args[0] != id)
        return false;
    coef = index->coefs[0];
    return coef != 0;
}

/* The axis whose block with id 1 lies beyond a view of constant extent; -1: there is none. */
static int axis_of_index(checker *k, const ix_access *a, int i)
{
    smt_int end;
    if (!a->index_end[i] || !smt_is_const(a->index_end[i], &end))
        return -1;
    for (int axis = 0; axis < 3; axis++) {
        smt_t id = k->s->block_id[axis], first = smt_int_const(k->ctx, 0),
              second = smt_int_const(k->ctx, 1);
        smt_int at_first, at_second;
        if (k->contract->grid[axis] || !is_block_id_of(k, a->index[i], axis) ||
            !smt_is_const(smt_substitute(k->ctx, a->index[i], 1, &id, &first), &at_first) ||
            !smt_is_const(smt_substitute(k->ctx, a->index[i], 1, &id, &second), &at_second))
            continue;
        if (at_first >= 0 && at_first < end && (at_second < 0 || at_second >= end))
            return axis;
    }
    return -1;
}

static bool other_axis_is_open(const checker *k, unsigned axes)
{
    for (int axis = 0; axis < 3; axis++)
        if (!(axes >> axis & 1) && !smt_is_const(k->s->block_id[axis], NULL))
            return true;
    return false;
}

/* Does `safe` hold of the access in every launch of one block on the axes? */
static bool suffices(checker *k, const ix_access *a, smt_t one_block, smt_t safe)
{
    query conjuncts = query_of_launch(k);
    query_add(k, &conjuncts, a->path);
    query_add(k, &conjuncts, a->facts);
    query_add(k, &conjuncts, a->assumed);
    query_add(k, &conjuncts, one_block);
    query_add(k, &conjuncts, smt_not(k->ctx, safe));
    return ask_event(k, conjuncts, "specialised").verdict == SMT_UNSAT;
}

/* The part of `safe` that some launch of one block on the axes does not fulfil: an index that does
 * not read the axes may need a precondition of its own. */
static smt_t left_open(checker *k, const ix_access *a, smt_t one_block, smt_t safe)
{
    smt_t open = smt_bool_const(k->ctx, true);
    if (safe->kind != SMT_AND)
        return suffices(k, a, one_block, safe) ? open : safe;
    for (uint32_t i = 0; i < safe->n_args; i++)
        if (!suffices(k, a, one_block, safe->args[i]))
            open = smt_and(k->ctx, open, safe->args[i]);
    return open;
}

precondition specialised_precondition(smt_ctx *ctx, int axis)
{
    precondition what =
        precondition_of_term(PRECONDITION_SPECIALISED_LAUNCH,
                             smt_eq(ctx, contract_grid(ctx, axis), smt_int_const(ctx, 1)));
    what.subject = (precondition_subject){.kind = PRECONDITION_OF_GRID, .axis = axis};
    return what;
}

/* Does every tile block of every launch carry out the access? Only then are launches of several
 * tile blocks on the axis all undefined, which shows that the kernel was not compiled for them. A
 * loop may have no iteration. */
static bool always_happens(checker *k, const ix_access *a)
{
    reach r = require_reach(k);
    smt_t missed = smt_not(k->ctx, require_surely_reached(&r, a->op, a->path));
    require_reach_free(&r);
    if (a->n_loops > 0)
        return false;
    query misses = query_with(k, query_of_launch(k), missed);
    return ask_event(k, misses, "executed").verdict == SMT_UNSAT;
}

smt_t specialised_settles(checker *k, const ix_access *a, smt_t safe)
{
    unsigned axes = 0;
    smt_t one_block = smt_bool_const(k->ctx, true);
    for (int i = 0; i < a->n_index; i++) {
        int axis = axis_of_index(k, a, i);
        if (axis < 0)
            continue;
        axes |= 1u << axis;
        one_block =
            smt_and(k->ctx, one_block, smt_eq(k->ctx, k->s->grid[axis], smt_int_const(k->ctx, 1)));
    }
    if (!axes || !other_axis_is_open(k, axes | k->specialised))
        return safe;
    smt_t open = left_open(k, a, one_block, safe);
    if (open == safe)
        return safe;
    for (int axis = 0; axis < 3; axis++) {
        if (!(axes >> axis & 1))
            continue;
        precondition what = specialised_precondition(k->ctx, axis);
        what.class_ = PRECONDITION_CLASS_LAUNCH;
        require_add(k, what, NULL);
    }
    k->specialised |= axes;
    if (always_happens(k, a))
        k->compiled_for |= axes;
    k->undefined.open = true; /* it happens in launches that pairs are compared in */
    return open;
}

/* ---- Section: Strides that are constants ---- */

/* The parameter that the pointer of a view is; n_args: it is none. */
static size_t argument_of(const checker *k, const ir_value *base)
{
    const ir_block *body = k->kernel->body;
    while (base->def && base->def->code == IR_OP_ASSUME)
        base = ir_operand(base->def, IR_ASSUME_value);
    size_t i = 0;
    while (i < body->n_args && body->args[i] != base)
        i++;
    return i;
}

/* The parameter that passes the stride; n_args: none does. */
static size_t stride_parameter(const contract *c, size_t array, unsigned dimension)
{
    size_t i = 0;
    while (i < c->n_args &&
           (c->args[i].member.role != CONTRACT_ARRAY_STRIDE || c->args[i].member.array != array ||
            c->args[i].member.dimension != dimension))
        i++;
    return i;
}

static void require_strides(checker *k, const ir_type *view, size_t array)
{
    for (int d = 0; d < view->rank; d++) {
        size_t i = stride_parameter(k->contract, array, (unsigned)d);
        if (view->strides[d] < 0 || i == k->contract->n_args)
            continue;
        smt_t fact = smt_eq(k->ctx, contract_param(k->ctx, k->contract, i),
                            smt_int_const(k->ctx, view->strides[d]));
        precondition what = precondition_of_term(PRECONDITION_KERNEL_ASSUME, fact);
        what.class_ = PRECONDITION_CLASS_STANDING;
        if (!smt_is_true(fact))
            require_add(k, what, NULL);
    }
}

void require_constant_strides(checker *k)
{
    if (!ir_is_made_by(k->kernel->module, "cutile-rs", "cutile-ir"))
        return;
    size_t n = k->kernel->body->n_args;
    bool *seen = TR_NEW_ARRAY(k->arena, bool, n + 1);
    for (const ir_op *op = ir_first_op(k->kernel); op; op = ir_next_op(op)) {
        size_t i = op->code == IR_OP_MAKE_TENSOR_VIEW
                       ? argument_of(k, ir_operand(op, IR_MAKE_TENSOR_VIEW_base))
                       : n;
        if (i == n || seen[i] || op->parent != k->kernel->body ||
            k->contract->args[i].member.role != CONTRACT_ARRAY_START)
            continue;
        seen[i] = true;
        require_strides(k, op->results[0].type, i);
    }
}

/* An access by pointers into an array, or through a view of a slice of it, seen as an access
 * through a view of the array.
 *
 * A front end that knows an array as pointer, extents and strides computes addresses as
 * sum(coordinate[d] * stride[d]). Where that sum can be taken apart again, by the strides that its
 * summands mention, and every inner coordinate is proved to lie inside its extent, coordinates
 * stand for addresses as they do for views (question/layout.c), which makes far easier questions.
 */
#include "precondition/array_view.h"

#include "precondition/natural.h"
#include "precondition/rows.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/layout.h"
#include "question/two_events.h"

#include "base/ds.h"

typedef struct part_of { /* an address taken apart */
    checker *k;
    ix_tensor *tensor;
    smt_t *coordinate;
    int unit; /* the dimension of stride 1; -1: none */
} part_of;

static bool is_one(smt_t term)
{
    smt_int value;
    return smt_is_const(term, &value) && value == 1;
}

/* Returns the array's extent, also where nothing but the array's own argument speaks of it. */
static smt_t extent_of(checker *k, const ix_access *a, size_t d)
{
    if (k->contract->args[a->arg].member.role != CONTRACT_ARRAY_START)
        return NULL;
    size_t i = contract_array_part(k->contract, (size_t)a->arg, CONTRACT_ARRAY_EXTENT, d);
    return i < k->contract->n_args ? contract_param(k->ctx, k->contract, i) : NULL;
}

/* Extents and strides of the access's array; false when it has none that are known. */
static bool tensor_of_array(checker *k, const ix_access *a, part_of *p)
{
    smt_t stride;
    int rank = 0;
    p->unit = -1;
    while (rank < IR_MAX_RANK &&
           (stride = require_array_part(k, a, CONTRACT_ARRAY_STRIDE, (size_t)rank)) != NULL) {
        p->tensor->stride[rank] = stride;
        p->tensor->shape[rank] = extent_of(k, a, (size_t)rank);
        p->coordinate[rank] = smt_int_const(k->ctx, 0);
        if (!p->tensor->shape[rank])
            return false;
        if (is_one(stride) && p->unit >= 0)
            return false; /* two dimensions of stride 1 cannot be told apart */
        if (is_one(stride))
            p->unit = rank;
        else if (stride->kind != SMT_VAR)
            return false;
        rank++;
    }
    p->tensor->rank = rank;
    return rank > 1;
}

/* Adds one summand of the offset to the coordinate of the stride in it. */
static bool add_summand(part_of *p, smt_t term, smt_int coef)
{
    smt_ctx *ctx = p->k->ctx;
    smt_t rest = smt_int_const(ctx, coef);
    size_t n = term->kind == SMT_PROD ? term->n_args : 1;
    int dimension = -1;
    for (size_t i = 0; i < n; i++) {
        smt_t factor = term->kind == SMT_PROD ? term->args[i] : term;
        int found = -1;
        for (int d = 0; d < p->tensor->rank; d++)
            if (p->tensor->stride[d] == factor)
                found = d;
        if (found >= 0 && dimension >= 0)
            return false;
        if (found >= 0)
            dimension = found;
        else
            rest = smt_mul(ctx, rest, factor);
    }
    if (dimension < 0)
        dimension = p->unit;
    if (dimension < 0)
        return false;
    p->coordinate[dimension] = smt_add(ctx, p->coordinate[dimension], rest);
    return true;
}

static bool take_apart(part_of *p, smt_t offset)
{
    if (offset->kind != SMT_SUM)
        return add_summand(p, offset, 1);
    for (uint32_t i = 0; i < offset->n_args; i++)
        if (!add_summand(p, offset->args[i], offset->coefs[i]))
            return false;
    return offset->value == 0 || add_summand(p, smt_int_const(p->k->ctx, 1), offset->value);
}

/* Do all coordinates but the one of the outermost stride lie inside their extents wherever the
 * event happens? That one may be anything: the others stay below its stride, so no two of its
 * values share an address. */
static bool is_inside(checker *k, const ix_access *a)
{
    smt_ctx *ctx = k->ctx;
    smt_t inside = smt_bool_const(ctx, true), zero = smt_int_const(ctx, 0);
    int outermost = layout_outermost(k, a->tensor);
    for (int d = 0; d < a->tensor->rank; d++)
        if (d != outermost)
            inside = smt_and(ctx, inside,
                             smt_and(ctx, smt_le(ctx, zero, a->coordinate[d]),
                                     smt_lt(ctx, a->coordinate[d], a->tensor->shape[d])));
    if (smt_is_true(inside))
        return true;
    query conjuncts = {0};
    copy_add_event(k, &conjuncts, a, COPY_NONE, 0);
    query_add(k, &conjuncts, require_defined(k, a));
    query_add(k, &conjuncts, smt_not(ctx, inside));
    return ask_briefly(k, conjuncts, "inside-array") == SMT_UNSAT;
}

/* Is the view one of a slice of the array, with its strides, at another place? */
static bool is_slice(const ix_tensor *slice, const ix_tensor *array)
{
    bool same = slice->rank == array->rank && !slice->region;
    for (int d = 0; d < array->rank && same; d++)
        same = slice->stride[d] == array->stride[d];
    return same;
}

const ix_access *require_as_view(checker *k, const ix_access *a)
{
    const ix_tensor *slice = a->tensor;
    if (a->unknown || a->arg < 0 || (slice && term_is_launch_constant(k, slice->bytes)))
        return a;
    ix_access *view = tr_arena_copy(k->arena, a, sizeof *a);
    ix_tensor *tensor = TR_NEW(k->arena, ix_tensor);
    part_of p = {k, tensor, view->coordinate, -1};
    smt_int rest;
    int bytes_each = slice ? slice->width : a->width;
    smt_t width = smt_int_const(k->ctx, bytes_each), start = k->s->arg_bytes[a->arg];
    smt_t bytes = smt_sub(k->ctx, slice ? slice->bytes : a->bytes, start);
    if (!smt_is_const(smt_mod(k->ctx, bytes, width), &rest) || rest != 0 ||
        !tensor_of_array(k, a, &p) || (slice && !is_slice(slice, tensor)) ||
        !take_apart(&p, smt_div(k->ctx, bytes, width)))
        return a;
    for (int d = 0; slice && d < tensor->rank; d++)
        view->coordinate[d] = smt_add(k->ctx, view->coordinate[d], a->coordinate[d]);
    tensor->allocation = a->allocation;
    tensor->arg = a->arg;
    tensor->bytes = start;
    tensor->width = bytes_each;
    view->tensor = tensor;
    return is_inside(k, view) ? view : a;
}

/* Finds what a launch has to guarantee of rows that a kernel addresses by numbers: that what is
 * added to a row's start stays below the row's stride. */
#include "precondition/rows.h"

#include "precondition/lift.h"
#include "precondition/propose.h"
#include "question/accesses.h"
#include "question/checker.h"
#include "question/layout.h"

#include "base/ds.h"

typedef struct look {
    checker *k;
    smt_t when; /* path, facts and mask of the access */
    require_proposal propose_alone;
    void *search;
} look;

/* The factor of a summand that is the same in all blocks; NULL: there is none but a number. */
static smt_t stride_of(const checker *k, smt_t summand)
{
    smt_t stride = NULL;
    for (uint32_t i = 0; summand->kind == SMT_PROD && i < summand->n_args; i++)
        if (term_is_launch_constant(k, summand->args[i]))
            stride = stride ? smt_mul(k->ctx, stride, summand->args[i]) : summand->args[i];
    return stride;
}

smt_t require_launch_part(checker *k, smt_t sum)
{
    smt_t part = smt_int_const(k->ctx, 0);
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args; i++)
        if (term_is_launch_constant(k, sum->args[i]))
            part = smt_add(k->ctx, part, smt_scale(k->ctx, sum->args[i], sum->coefs[i]));
    return part;
}

static smt_t start_of(checker *k, smt_t offset)
{
    return smt_add(k->ctx, require_launch_part(k, offset),
                   smt_int_const(k->ctx, offset->kind == SMT_SUM ? offset->value : 0));
}

/* The multiples of `stride` (NULL: what has none), without it. */
static smt_t multiples_of(checker *k, smt_t offset, smt_t stride)
{
    smt_ctx *ctx = k->ctx;
    smt_t inner = smt_int_const(ctx, 0);
    for (uint32_t i = 0; i < offset->n_args; i++) {
        smt_t summand = offset->args[i], own = smt_int_const(ctx, 1);
        if (term_is_launch_constant(k, summand) || stride_of(k, summand) != stride)
            continue;
        for (uint32_t f = 0; summand->kind == SMT_PROD && f < summand->n_args; f++)
            if (!stride || !term_is_launch_constant(k, summand->args[f]))
                own = smt_mul(ctx, own, summand->args[f]);
        own = summand->kind == SMT_PROD ? own : summand;
        inner = smt_add(ctx, inner, smt_scale(ctx, own, offset->coefs[i]));
    }
    return inner;
}

enum { MAX_LEVELS = 3 };

/* An offset as rows of rows: `greatest` of what is multiplied with each stride, and of what has
 * none. `pitch`: from one row to the next, of `64 * bid * s` 64 times the stride. */
typedef struct levels {
    size_t n;
    smt_t stride[MAX_LEVELS], pitch[MAX_LEVELS], greatest[MAX_LEVELS], rest;
} levels;

/* The largest number that divides all values of the sum, by its form. */
static smt_int step_of(smt_t sum)
{
    if (sum->kind != SMT_SUM)
        return 1;
    smt_int step = sum->value;
    for (uint32_t i = 0; i < sum->n_args; i++)
        step = smt_gcd(step, sum->coefs[i]);
    return step < 0 ? -step : step;
}

static bool find_levels(const look *l, smt_t offset, levels *v)
{
    checker *k = l->k;
    for (uint32_t i = 0; i < offset->n_args; i++) {
        smt_t summand = offset->args[i], own = NULL;
        if (!term_is_launch_constant(k, summand))
            own = stride_of(k, summand);
        size_t known = 0;
        while (known < v->n && v->stride[known] != own)
            known++;
        if (!own || known < v->n)
            continue;
        if (v->n == MAX_LEVELS || offset->coefs[i] <= 0)
            return false;
        smt_t multiples = multiples_of(k, offset, own);
        v->greatest[v->n] = require_greatest(k, multiples, l->when);
        v->pitch[v->n] = smt_scale(k->ctx, own, step_of(multiples));
        v->stride[v->n++] = own;
    }
    v->rest = require_greatest(k, multiples_of(k, offset, NULL), l->when);
    return v->rest != NULL;
}

/* Levels from the innermost to the outermost: each holds all that is inside it. NULL: it has no
 * such form. */
static smt_t chain_of(const look *l, const levels *v, const size_t *order, smt_t apart)
{
    smt_ctx *ctx = l->k->ctx;
    smt_t inside = v->rest, all = smt_bool_const(ctx, true);
    for (size_t i = 0; i < v->n; i++) {
        bool outermost = i + 1 == v->n;
        smt_t stride = v->stride[order[i]],
              taken = outermost ? smt_add(ctx, inside, apart) : inside;
        all = smt_and(ctx, all, smt_lt(ctx, taken, v->pitch[order[i]]));
        if (outermost)
            return all;
        if (!v->greatest[order[i]])
            return NULL;
        inside = smt_add(ctx, inside, smt_mul(ctx, stride, v->greatest[order[i]]));
    }
    return NULL;
}

static const size_t orders[][MAX_LEVELS] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                            {2, 0, 1}, {1, 2, 0}, {2, 1, 0}};
static const size_t n_orders[] = {0, 1, 2, 6};

/* Is an order of the array's strides required already? There can be no second one. */
static bool is_settled(const look *l, const levels *v, size_t *order)
{
    smt_ctx *ctx = l->k->ctx;
    for (*order = 0; *order < n_orders[v->n]; ++*order) {
        smt_t fact = chain_of(l, v, orders[*order], smt_int_const(ctx, 0));
        if (fact && smt_and(ctx, l->k->known.launch, fact) == l->k->known.launch)
            return true;
    }
    return false;
}

static bool speaks_of_grid(const checker *k, smt_t fact)
{
    for (int axis = 0; axis < 3; axis++)
        if (!smt_is_const(k->s->grid[axis], NULL) && smt_contains(fact, k->s->grid[axis]))
            return true;
    return false;
}

/* Sizes among themselves first: they say more of how an array lies than the grid does. `other`: the
 * distance that has to fit as well; NULL: there is none. */
static void propose_chains(const look *l, const levels *v, smt_t apart, smt_t other)
{
    smt_ctx *ctx = l->k->ctx;
    size_t settled;
    bool is_known = is_settled(l, v, &settled);
    for (int of_grid = 0; of_grid < 2; of_grid++)
        for (size_t i = 0; i < n_orders[v->n]; i++) {
            smt_t fact = is_known && i != settled ? NULL : chain_of(l, v, orders[i], apart);
            if (fact && other)
                fact = smt_and(ctx, fact, chain_of(l, v, orders[i], other));
            if (fact && speaks_of_grid(l->k, fact) == of_grid)
                l->propose_alone(l->search, PRECONDITION_STRIDE_RELATION, fact);
        }
}

/* Are sizes only added in the sum, and none subtracted? */
static bool is_added(smt_t sum)
{
    bool added = sum->kind != SMT_SUM || sum->value >= 0;
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args; i++)
        added &= sum->coefs[i] > 0;
    return added;
}

/* Two accesses whose rows start apart. Which of them is ahead depends on the sign of what they are
 * apart: the weaker wish for sizes first, and both of them last. */
static void propose_halo(const look *l, const levels *v, smt_t apart)
{
    smt_t back = smt_neg(l->k->ctx, apart);
    bool added = is_added(apart);
    propose_chains(l, v, added ? back : apart, NULL);
    propose_chains(l, v, added ? apart : back, NULL);
    if (!smt_is_const(apart, NULL))
        propose_chains(l, v, apart, back);
}

/* The sum that unsigned arithmetic takes to the numbers from 0 on: `b * s - 1` of `b * s == 0 ?
 * b * s + 4294967295 : b * s - 1`. */
static smt_t without_wrap(smt_ctx *ctx, smt_t offset)
{
    smt_int apart;
    if (offset->kind != SMT_ITE || smt_is_bool(offset) ||
        !smt_is_const(smt_sub(ctx, offset->args[1], offset->args[2]), &apart))
        return offset;
    return offset->args[apart > 0 ? 2 : 1];
}

/* The access's offset in its buffer, counted in its own elements. */
static smt_t offset_of(checker *k, const ix_access *a)
{
    return without_wrap(k->ctx, smt_div(k->ctx, a->bytes, smt_int_const(k->ctx, a->width)));
}

/* An access whose rows do not begin at their start: `if (i >= h)` leaves i < 2 * h no more than h
 * places. */
void require_look_at_cut_rows(checker *k, const ix_access *a, require_proposal propose_alone,
                              void *search)
{
    smt_ctx *ctx = k->ctx;
    smt_t when = smt_and(ctx, smt_and(ctx, a->path, a->facts), a->mask);
    look l = {k, when, propose_alone, search};
    levels v = {0};
    smt_t offset = offset_of(k, a);
    if (a->tensor || a->unknown || offset->kind != SMT_SUM || !find_levels(&l, offset, &v))
        return;
    smt_t back = require_greatest(k, smt_neg(ctx, multiples_of(k, offset, NULL)), when);
    if (!back || smt_is_const(back, NULL) || speaks_of_grid(k, back))
        return;
    v.rest = smt_add(ctx, v.rest, back);
    propose_chains(&l, &v, smt_int_const(ctx, 0), NULL);
}

void require_look_at_rows(checker *k, const ix_access *a, const ix_access *b,
                          require_proposal propose, require_proposal propose_alone, void *search)
{
    smt_ctx *ctx = k->ctx;
    smt_t when = smt_and(ctx, smt_and(ctx, a->path, a->facts), a->mask);
    look l = {k, when, propose_alone, search};
    levels v = {0};
    smt_t offset = offset_of(k, a), other = offset_of(k, b);
    if (a->tensor || a->unknown || a->width != b->width || offset->kind != SMT_SUM ||
        !find_levels(&l, offset, &v))
        return;
    smt_t apart = smt_sub(ctx, start_of(k, other), start_of(k, offset));
    bool in_place = smt_is_const(apart, NULL);
    for (size_t i = 0; i < v.n && in_place; i++)
        propose(search, PRECONDITION_STRIDE_RELATION, smt_lt(ctx, v.rest, v.pitch[i]));
    if (a == b)
        propose_chains(&l, &v, apart, NULL);
    else
        propose_halo(&l, &v, apart);
    /* `h + w <= s` is enough of a window of 2 * h + w around w places. */
    for (size_t i = 0; i < v.n && !in_place; i++)
        propose(search, PRECONDITION_STRIDE_RELATION, smt_lt(ctx, v.rest, v.pitch[i]));
}

/* ---- Section: rows of arrays that were passed as such ---- */

smt_t require_array_part(checker *k, const ix_access *a, contract_role role, size_t d)
{
    if (a->arg < 0 || k->contract->args[a->arg].member.role != CONTRACT_ARRAY_START)
        return NULL;
    const ir_block *body = k->kernel->body;
    size_t i = contract_array_part(k->contract, (size_t)a->arg, role, d);
    if (i >= k->contract->n_args || i >= body->n_args)
        return NULL;
    if (arg_is_used(k, i))
        return contract_param(k->ctx, k->contract, i);
    return role == CONTRACT_ARRAY_STRIDE ? smt_int_const(k->ctx, 1) : NULL;
}

/* An access by pointers into an array whose extents and strides are parameters: the array does not
 * overlap itself, whatever the kernel makes of its address. */
smt_t require_array_chain(checker *k, const ix_access *a)
{
    smt_ctx *ctx = k->ctx;
    smt_t chain = smt_bool_const(ctx, true), stride;
    size_t d = 0;
    for (; (stride = require_array_part(k, a, CONTRACT_ARRAY_STRIDE, d)) != NULL; d++) {
        smt_t inner_stride = require_array_part(k, a, CONTRACT_ARRAY_STRIDE, d + 1);
        smt_t inner_shape = require_array_part(k, a, CONTRACT_ARRAY_EXTENT, d + 1);
        smt_t least = !inner_stride  ? smt_int_const(ctx, 1)
                      : !inner_shape ? inner_stride
                                     : smt_mul(ctx, inner_stride, inner_shape);
        chain = smt_and(ctx, chain, smt_le(ctx, least, stride));
    }
    return d ? chain : NULL;
}

/* From a condition on one tile block's numbers to one on the launch: block ids and loop counters
 * are replaced by their ends, so that `bid.x < n` becomes `grid.x <= n`, which a contract can say.
 */
#include "rules/require_search.h"

#include "base/ds.h"

static smt_t lift_sum(checker *k, smt_t sum, int depth);

/* Greatest value of a private variable, over the launch alone; NULL when there is none to name. */
static smt_t upper_end(checker *k, smt_t variable, int depth)
{
    smt_ctx *ctx = k->ctx;
    smt_t one = smt_int_const(ctx, 1);
    for (int axis = 0; axis < 3; axis++)
        if (k->s->block_id[axis] == variable)
            return smt_sub(ctx, k->s->grid[axis], one);
    for (size_t i = 0; i < arrlenu(k->s->loops); i++)
        if (k->s->loops[i]->counter == variable && k->s->loops[i]->last)
            return lift_sum(k, k->s->loops[i]->last, depth + 1);
    if (variable->kind == SMT_VAR && variable->high < SMT_NO_HIGH)
        return smt_int_const(ctx, variable->high); /* an in-tile coordinate */
    return NULL;
}

/* One summand at its greatest (coef > 0) or least value. */
static smt_t lift_summand(checker *k, smt_t term, smt_int coef, int depth)
{
    smt_ctx *ctx = k->ctx;
    if (term_is_launch_constant(k, term))
        return smt_scale(ctx, term, coef);
    smt_t variable = NULL, factor = smt_int_const(ctx, 1);
    size_t n = term->kind == SMT_PROD ? term->n_args : 1;
    for (size_t i = 0; i < n; i++) {
        smt_t part = term->kind == SMT_PROD ? term->args[i] : term;
        if (term_is_launch_constant(k, part) && part->low >= 0)
            factor = smt_mul(ctx, factor, part);
        else if (!variable && part->kind == SMT_VAR && part->low >= 0)
            variable = part;
        else
            return NULL;
    }
    if (!variable)
        return NULL;
    if (coef < 0)
        return smt_scale(ctx, smt_mul(ctx, factor, smt_int_const(ctx, variable->low)), coef);
    smt_t end = upper_end(k, variable, depth);
    return end ? smt_scale(ctx, smt_mul(ctx, factor, end), coef) : NULL;
}

/* An upper bound of the sum over the launch alone. */
static smt_t lift_sum(checker *k, smt_t sum, int depth)
{
    if (depth > 4)
        return NULL;
    if (term_is_launch_constant(k, sum))
        return sum;
    if (sum->kind != SMT_SUM)
        return lift_summand(k, sum, 1, depth);
    smt_t total = smt_int_const(k->ctx, sum->value);
    for (uint32_t i = 0; i < sum->n_args && total; i++) {
        smt_t part = lift_summand(k, sum->args[i], sum->coefs[i], depth);
        total = part ? smt_add(k->ctx, total, part) : NULL;
    }
    return total;
}

smt_t require_lift(checker *k, smt_t safe)
{
    smt_ctx *ctx = k->ctx;
    if (term_is_launch_constant(k, safe))
        return safe;
    if (safe->kind == SMT_AND) {
        smt_t all = smt_bool_const(ctx, true);
        for (uint32_t i = 0; i < safe->n_args && all; i++) {
            smt_t part = require_lift(k, safe->args[i]);
            all = part ? smt_and(ctx, all, part) : NULL;
        }
        return all;
    }
    if (safe->kind != SMT_LE)
        return NULL;
    smt_t greatest = lift_sum(k, safe->args[0], 0);
    return greatest ? smt_le(ctx, greatest, smt_int_const(ctx, 0)) : NULL;
}

smt_t require_upper_end(checker *k, smt_t variable)
{
    return upper_end(k, variable, 0);
}

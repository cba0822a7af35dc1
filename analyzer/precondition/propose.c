/* What all searches for candidates share: a candidate, ranges of elements, and the places of a sum.
 */
#include "precondition/propose.h"

#include "question/checker.h"
#include "question/layout.h"

#include "base/ds.h"

candidate candidate_of(smt_ctx *ctx, precondition_kind kind)
{
    return (candidate){.kind = kind,
                       .fact = smt_bool_const(ctx, true),
                       .unique_arg = -1,
                       .range_arg = -1,
                       .prefix_of = -1};
}

/* The factor that goes with `variable` in one summand: coef * (the product without it); NULL when
 * it is not in it exactly once. */
smt_t require_factor_of(smt_ctx *ctx, smt_t summand, smt_int coef, smt_t variable)
{
    if (summand == variable)
        return smt_int_const(ctx, coef);
    if (summand->kind != SMT_PROD)
        return NULL;
    smt_t rest = smt_int_const(ctx, coef);
    int times = 0;
    for (uint32_t i = 0; i < summand->n_args; i++) {
        if (summand->args[i] == variable)
            times++;
        else
            rest = smt_mul(ctx, rest, summand->args[i]);
    }
    return times == 1 ? rest : NULL;
}

/* The distance between two neighbouring places, whichever comes first. Unknown sizes count as
 * positive. */
smt_t require_distance_of(smt_ctx *ctx, smt_t weight)
{
    smt_int low, high;
    smt_bounds(weight, &low, &high);
    bool open = low < 0 && high > 0, down = weight->kind == SMT_SUM && weight->value <= 0;
    for (uint32_t i = 0; down && i < weight->n_args; i++)
        down = weight->coefs[i] < 0;
    return high <= 0 || (open && down) ? smt_neg(ctx, weight) : weight;
}

size_t require_places_of(checker *k, smt_t sum, bool looked_up, digit_place *out)
{
    size_t n = 0;
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args && n < MAX_PLACES; i++) {
        smt_t term = sum->args[i], variable = NULL;
        size_t parts = term->kind == SMT_PROD ? term->n_args : 1;
        for (size_t p = 0; p < parts; p++) {
            smt_t part = term->kind == SMT_PROD ? term->args[p] : term;
            bool own = part->kind == SMT_VAR ? summary_private(k->s, part)
                                             : part->kind == SMT_DIV || part->kind == SMT_MOD;
            own |= looked_up && summary_contents_of(k->s, part, NULL) >= 0;
            if (own && !term_is_launch_constant(k, part))
                variable = part;
        }
        smt_t weight = variable ? require_factor_of(k->ctx, term, sum->coefs[i], variable) : NULL;
        if (!weight || !term_is_launch_constant(k, weight))
            continue;
        size_t known = 0; /* b * s - 3 * b is b * (s - 3) */
        while (known < n && out[known].variable != variable)
            known++;
        out[known] = (digit_place){variable,
                                   known < n ? smt_add(k->ctx, out[known].weight, weight) : weight};
        n += known == n;
    }
    for (size_t i = 0; i < n; i++)
        out[i].weight = require_distance_of(k->ctx, out[i].weight);
    return n;
}

/* The end of a range for a narrow element that is only bounded from below. Its bits do not say
 * whether it is signed: the end of the signed half holds for both readings. */
static smt_t end_of_range(const checker *k, int arg, smt_t low, smt_t high)
{
    const ir_type *elem = k->kernel->body->args[arg]->type->elem->elem;
    int bits = ir_type_is_int(elem) ? 8 * ir_type_bytes(elem) : CONTRACT_NARROW;
    smt_t stated = k->contract->args[arg].contents.min;
    smt_int least;
    if (stated && smt_is_const(stated, &least) && least < 0)
        return high; /* the contract tells the sign */
    if (high || bits >= CONTRACT_NARROW || !low || !smt_is_const(low, &least) || least < 0)
        return high;
    return smt_int_const(k->ctx, ((smt_int)1 << (bits - 1)) - 1);
}

void require_propose_range(candidate_search *s, int arg, smt_t low, smt_t high, bool increasing)
{
    if (arg < 0 || arg >= 64)
        return;
    if (!increasing)
        high = end_of_range(s->k, arg, low, high);
    for (size_t i = 0; i < arrlenu(s->found); i++)
        if (s->found[i].range_arg == arg && s->found[i].low == low && s->found[i].high == high &&
            s->found[i].increasing == increasing && s->found[i].prefix_of < 0)
            return;
    candidate c = candidate_of(s->k->ctx, increasing ? PRECONDITION_INCREASING_CONTENTS
                                                     : PRECONDITION_CONTENTS_RANGE);
    c.range_arg = arg;
    c.low = low;
    c.high = high;
    c.increasing = increasing;
    arrput(s->found, c);
}

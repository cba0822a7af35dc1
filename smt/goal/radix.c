/* Equations of numbers written in a symbolic radix: equal numbers have equal digits. */
#include "goal/radix.h"

#include "goal/goal.h"
#include "goal/linear.h"
#include "terms/divide.h"
#include "terms/node.h"
#include "terms/poly.h"

#include "base/ds.h"

typedef struct radix {
    smt_ctx *ctx;
    smt_goal *goal;
    smt_effort effort;
} radix;

static bool is_positive(radix *r, smt_t term)
{
    smt_t claim = smt_sub(r->ctx, smt_int_const(r->ctx, 1), term);
    return smt_goal_shows(r->ctx, r->goal, claim, r->effort);
}

/* F*G + R = 0 with -F < R < F: then G = 0 and R = 0. */
static bool split_by_factor(radix *r, smt_t sum, smt_t factor, smt_t *large, smt_t *small)
{
    smt_ctx *ctx = r->ctx;
    smt_t g, rest;
    smt_split_factor(ctx, sum, (smt_mono){factor, 1}, &g, &rest);
    if (smt_is_zero(rest))
        return false; /* a common factor: the comparison's own business */
    if (!is_positive(r, factor) || !is_positive(r, smt_sub(ctx, factor, rest)) ||
        !is_positive(r, smt_add(ctx, factor, rest)))
        return false;
    *large = smt_eq(ctx, g, smt_int_const(ctx, 0));
    *small = smt_eq(ctx, rest, smt_int_const(ctx, 0));
    return true;
}

static bool split_equation(radix *r, smt_t equation, smt_t *large, smt_t *small)
{
    smt_t sum = equation->args[0], tried[16];
    size_t n_tried = 0;
    for (size_t i = 0; i < smt_n_monos(sum); i++) {
        smt_t product = smt_mono_at(sum, i).term;
        for (uint32_t k = 0; product->kind == SMT_PROD && k < product->n_args; k++) {
            smt_t factor = product->args[k];
            bool known = n_tried == TR_COUNT(tried);
            for (size_t t = 0; t < n_tried && !known; t++)
                known = tried[t] == factor;
            if (known)
                continue;
            tried[n_tried++] = factor;
            if (split_by_factor(r, sum, factor, large, small))
                return true;
        }
    }
    return false;
}

bool smt_goal_split_radix(smt_ctx *ctx, smt_goal *goal, smt_effort effort)
{
    bool changed = false;
    radix r = {ctx, goal, effort};
    for (size_t i = 0; i < arrlenu(goal->facts); i++) {
        smt_t fact = goal->facts[i], large, small;
        if (fact->kind != SMT_EQ || !smt_has(fact, SMT_HAS_PRODUCT))
            continue;
        goal->ignored = fact; /* that R = -F*G bounds nothing */
        bool split = split_equation(&r, fact, &large, &small);
        goal->ignored = NULL;
        if (!split)
            continue;
        changed = true;
        arrdel(goal->facts, i);
        i--;
        smt_goal_add(goal, large);
        smt_goal_add(goal, small);
    }
    return changed;
}

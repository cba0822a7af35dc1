/* Division by its definition: x div d is a fresh q and x mod d a fresh r with x = d*q + r and
 * 0 <= r < d. A variable in x is eliminated by that equation, so that equal quotients and
 * remainders make equal numerators by themselves. */
#include "strategies/euclid.h"

#include "goal/facts.h"
#include "goal/goal.h"
#include "goal/linear.h"
#include "goal/radix.h"
#include "solver/answer.h"
#include "solver/ask.h"
#include "solver/task.h"
#include "strategies/strategy.h"
#include "terms/bool.h"
#include "terms/divide.h"
#include "terms/node.h"
#include "terms/poly.h"
#include "terms/range.h"
#include "terms/walk.h"

#include "base/ds.h"

enum { MAX_DIVISIONS = 60, MAX_SIDE_QUESTIONS = 6, SIDE_QUESTION = 40 * 1000 };

typedef struct proven {
    smt_t key;
    bool value;
} proven;

typedef struct euclid {
    smt_task *task;
    smt_ctx *ctx;
    smt_goal *goal;
    int may_ask;      /* so many questions to the solver, for what facts do not show plainly */
    proven *positive; /* stb_ds maps: what was asked already */
    proven *settled;  /* positive divisors that are facts */
    proven *fresh;    /* variables made here: not eliminated again */
} euclid;

static bool is_division(smt_t term)
{
    return term->kind == SMT_DIV || term->kind == SMT_MOD;
}

/* ---- Section: Nested divisors ---- */

/* d = inner * factor, both known positive, and the factor no number? */
static smt_t symbolic_factor(smt_ctx *ctx, smt_t d, smt_t inner)
{
    smt_t factor = inner->low > 0 ? smt_positive_factor(ctx, d, inner) : NULL;
    return factor && factor->kind != SMT_INT ? factor : NULL;
}

/* x div (a*b) is (x div a) div b where x div a or x mod a occurs too: the remainders by a, then by
 * b, are the digits of x. */
static bool chain_divisions(euclid *e)
{
    smt_order order;
    smt_t what = NULL, by = NULL;
    smt_order_make(&order, arrlenu(e->goal->facts), e->goal->facts);
    for (size_t i = 0; i < smt_order_count(&order) && !what; i++) {
        smt_t outer = order.terms[i];
        if (!is_division(outer) || outer->args[1]->kind == SMT_INT)
            continue;
        for (size_t k = 0; k < smt_order_count(&order) && !what; k++) {
            smt_t inner = order.terms[k], x = outer->args[0];
            if (!is_division(inner) || inner->args[0] != x)
                continue;
            smt_t a = inner->args[1], b = symbolic_factor(e->ctx, outer->args[1], a);
            if (!b)
                continue;
            smt_t quotient = smt_div(e->ctx, x, a);
            what = outer;
            if (outer->kind == SMT_DIV)
                by = smt_div(e->ctx, quotient, b);
            else
                by = smt_add(e->ctx, smt_mul(e->ctx, a, smt_mod(e->ctx, quotient, b)),
                             smt_mod(e->ctx, x, a));
            if (by == what || smt_contains(by, what))
                what = NULL;
        }
    }
    smt_order_free(&order);
    if (what)
        smt_goal_replace(e->ctx, e->goal, what, by);
    return what != NULL;
}

/* ---- Section: One division ---- */

/* A division in whose arguments there is none. */
static smt_t innermost(const smt_goal *goal)
{
    smt_order order;
    smt_t found = NULL;
    smt_order_make(&order, arrlenu(goal->facts), goal->facts);
    for (size_t i = 0; i < smt_order_count(&order) && !found; i++) {
        smt_t term = order.terms[i];
        if (is_division(term) && !smt_has(term->args[0], SMT_HAS_DIV) &&
            !smt_has(term->args[1], SMT_HAS_DIV))
            found = term;
    }
    smt_order_free(&order);
    return found;
}

static bool shown_at_least(euclid *e, smt_t term, smt_int least)
{
    smt_t x, y;
    if (term->low >= least)
        return true;
    if (smt_is_min_max(term, &x, &y) > 0)
        return shown_at_least(e, x, least) && shown_at_least(e, y, least);
    return smt_goal_shows(e->ctx, e->goal, smt_sub(e->ctx, smt_int_const(e->ctx, least), term),
                          SMT_THOROUGHLY);
}

/* Shown by facts, or as far as the solver tells. */
static bool is_at_least(euclid *e, smt_t term, smt_int least)
{
    smt_t claim = smt_ge(e->ctx, term, smt_int_const(e->ctx, least));
    ptrdiff_t at = hmgeti(e->positive, claim);
    if (at >= 0)
        return e->positive[at].value;
    bool holds = shown_at_least(e, term, least);
    if (!holds && e->may_ask == 0)
        return false; /* and not kept: more facts may show it later */
    if (!holds) {
        e->may_ask--;
        holds = smt_implied(e->task, e->goal, claim, SIDE_QUESTION * e->task->scale);
    }
    hmput(e->positive, claim, holds);
    return holds;
}

static smt_t fresh(euclid *e, const char *stem, smt_int low, smt_int high)
{
    smt_t variable = smt_fresh(e->ctx, stem, low, high);
    hmput(e->fresh, variable, true);
    return variable;
}

/* May it be replaced by what an equation says it is? Of an application, a model would have to say
 * the same: only where none is looked for. */
static bool is_solvable(euclid *e, smt_t term)
{
    if (term->kind == SMT_APP)
        return e->goal->keep_factors;
    return term->kind == SMT_VAR && hmgeti(e->fresh, term) < 0 && !smt_goal_is_radix(e->goal, term);
}

/* A variable of x that x = value gives. */
static bool solve(euclid *e, smt_t x, smt_t value, smt_t *what, smt_t *by)
{
    for (size_t i = 0; i < smt_n_monos(x); i++) {
        smt_mono mono = smt_mono_at(x, i);
        if ((mono.coef != 1 && mono.coef != -1) || !is_solvable(e, mono.term))
            continue;
        smt_t rest = smt_sub(e->ctx, x, smt_scale(e->ctx, mono.term, mono.coef));
        if (smt_contains(rest, mono.term) || smt_contains(value, mono.term))
            continue;
        *what = mono.term;
        *by = smt_scale(e->ctx, smt_sub(e->ctx, value, rest), mono.coef);
        return true;
    }
    return false;
}

static void remove_division(euclid *e, smt_t division)
{
    smt_ctx *ctx = e->ctx;
    smt_t x = division->args[0], d = division->args[1];
    bool positive = is_at_least(e, d, 1);
    bool natural = positive && is_at_least(e, x, 0);
    smt_range quotient = smt_range_div(smt_range_of(x), smt_range_of(d));
    if (natural && quotient.low < 0)
        quotient.low = 0;
    if (natural && quotient.high > x->high)
        quotient.high = x->high;
    smt_t q = fresh(e, "q", quotient.low, quotient.high);
    smt_t r = fresh(e, "r", positive ? 0 : SMT_NO_LOW,
                    positive && d->high != SMT_NO_HIGH ? d->high - 1 : SMT_NO_HIGH);
    smt_goal_replace(ctx, e->goal, smt_div(ctx, x, d), q);
    smt_goal_replace(ctx, e->goal, smt_mod(ctx, x, d), r);
    smt_t value = smt_add(ctx, smt_mul(ctx, d, q), r);
    smt_t zero = smt_int_const(ctx, 0), what, by;
    if (positive) {
        smt_goal_add(e->goal, smt_lt(ctx, r, d));
        if (solve(e, x, value, &what, &by))
            smt_goal_define(ctx, e->goal, what, by);
        else
            smt_goal_add(e->goal, smt_eq(ctx, x, value));
        smt_goal_use_products(ctx, e->goal);
        return;
    }
    /* Nothing is said of division by 0. */
    smt_t equal = smt_and(ctx, smt_eq(ctx, x, value), smt_ge(ctx, r, zero));
    smt_t above = smt_and(ctx, equal, smt_lt(ctx, r, d));
    smt_t below = smt_and(ctx, equal, smt_lt(ctx, r, smt_neg(ctx, d)));
    smt_goal_add(e->goal, smt_implies(ctx, smt_gt(ctx, d, zero), above));
    smt_goal_add(e->goal, smt_implies(ctx, smt_lt(ctx, d, zero), below));
}

/* Divisors that are plainly positive become facts before anything is done: conditions on their
 * signs are decided by that, and divisions that only stand in the other branch go away. */
static bool settle_signs(euclid *e)
{
    smt_order order;
    size_t before = arrlenu(e->goal->facts);
    smt_order_make(&order, before, e->goal->facts);
    for (size_t i = 0; i < smt_order_count(&order); i++) {
        smt_t term = order.terms[i];
        if (!is_division(term) || smt_has(term->args[1], SMT_HAS_DIV) || term->args[1]->low > 0)
            continue;
        smt_t d = term->args[1], claim = smt_ge(e->ctx, d, smt_int_const(e->ctx, 1));
        if (hmgeti(e->settled, claim) >= 0 || !shown_at_least(e, d, 1))
            continue;
        hmput(e->settled, claim, true);
        smt_goal_add(e->goal, claim);
    }
    smt_order_free(&order);
    bool more = arrlenu(e->goal->facts) > before;
    if (more)
        smt_goal_use_facts(e->ctx, e->goal);
    return more;
}

/* ---- Section: The strategy ---- */

/* The goal without divisions, its equations taken apart. */
static void transform(smt_task *task, smt_goal *goal, int may_ask, smt_steps until)
{
    euclid e = {.task = task, .ctx = task->ctx, .goal = goal, .may_ask = may_ask};
    goal->no_far_bounds = true;
    smt_goal_use_products(task->ctx, goal);
    for (int i = 0; i < MAX_DIVISIONS && !goal->is_false && smt_left(task, until) > 0; i++) {
        if (chain_divisions(&e) || settle_signs(&e))
            continue;
        smt_t division = innermost(goal);
        if (!division)
            break;
        remove_division(&e, division);
    }
    smt_goal_simplify(task->ctx, goal, SMT_ELIMINATE_LINEAR);
    while (!goal->is_false && smt_left(task, until) > 0 &&
           smt_goal_split_radix(task->ctx, goal, SMT_THOROUGHLY))
        smt_goal_simplify(task->ctx, goal, SMT_ELIMINATE_LINEAR);
    hmfree(e.positive);
    hmfree(e.settled);
    hmfree(e.fresh);
}

void smt_goal_remove_divisions(smt_task *task, smt_goal *goal, smt_steps until)
{
    transform(task, goal, 0, until);
}

bool smt_try_digits(smt_task *task, smt_goal *goal, smt_steps until)
{
    smt_goal own;
    smt_goal_copy(&own, goal);
    transform(task, &own, 0, until);
    bool refuted = smt_goal_refute(task->ctx, &own, smt_left(task, until));
    smt_goal_free(&own);
    return refuted && smt_decided(task, SMT_UNSAT, NULL, "digits");
}

bool smt_try_euclid(smt_task *task, smt_goal *goal, smt_steps until)
{
    smt_goal own;
    smt_goal_copy(&own, goal);
    transform(task, &own, MAX_SIDE_QUESTIONS, until);
    bool decided = smt_try_split(task, &own, until);
    smt_goal_free(&own);
    return decided;
}

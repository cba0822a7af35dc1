/* Equations: taken apart where their parts cannot make up for each other, and solved. */
#include "goal/equations.h"

#include "goal/goal.h"
#include "terms/bool.h"
#include "terms/node.h"
#include "terms/poly.h"
#include "terms/range.h"

#include "base/ds.h"

#include <stdlib.h>

enum { MAX_LINEAR_SUMMANDS = 4, MAX_ELIMINATIONS = 200 };

/* ---- Section: Mixed radix ---- */

/* coefs that g divides on one side, all else with the constant on the other: when just one multiple
 * of g is within reach of the other side, both sides are known. */
static bool split_by(smt_ctx *ctx, smt_t sum, smt_int g, smt_t *large, smt_t *small)
{
    smt_poly multiples = {0}, rest = {0};
    smt_range reach = {0, 0};
    for (size_t i = 0; i < smt_n_monos(sum); i++) {
        smt_mono mono = smt_mono_at(sum, i);
        if (mono.coef % g == 0) {
            smt_poly_add(&multiples, mono.term, mono.coef);
            continue;
        }
        smt_poly_add(&rest, mono.term, mono.coef);
        reach = smt_range_add(reach, smt_range_scale(smt_range_of(mono.term), mono.coef));
    }
    smt_poly_add_value(&rest, smt_constant_part(sum));
    smt_int constant = smt_constant_part(sum);
    reach = smt_range_add(reach, (smt_range){constant, constant});
    bool useful = arrlenu(multiples.items) > 0 && arrlenu(rest.items) > 0 &&
                  reach.low != SMT_NO_LOW && reach.high != SMT_NO_HIGH;
    /* multiples of g in the reach */
    smt_int last = useful ? smt_floor_div(reach.high, g) : 0;
    smt_int first = useful ? -smt_floor_div(-reach.low, g) : 0;
    if (!useful || last > first) {
        smt_poly_free(&multiples);
        smt_poly_free(&rest);
        return false;
    }
    smt_t zero = smt_int_const(ctx, 0);
    if (last < first) { /* none */
        smt_poly_free(&multiples);
        smt_poly_free(&rest);
        *large = *small = smt_bool_const(ctx, false);
        return true;
    }
    smt_poly_add_value(&multiples, first * g);
    smt_poly_add_value(&rest, -first * g);
    *large = smt_eq(ctx, smt_poly_make(ctx, &multiples), zero);
    *small = smt_eq(ctx, smt_poly_make(ctx, &rest), zero);
    return true;
}

static int by_size_down(const void *a, const void *b)
{
    smt_int x = *(const smt_int *)a, y = *(const smt_int *)b;
    return (x < y) - (x > y);
}

static bool split_equation(smt_ctx *ctx, smt_t equation, smt_t *large, smt_t *small)
{
    smt_t sum = equation->args[0];
    smt_int *sizes = NULL, g = 0, last = 0;
    bool found = false;
    for (size_t i = 0; i < smt_n_monos(sum); i++) {
        smt_int coef = smt_mono_at(sum, i).coef;
        arrput(sizes, coef < 0 ? -coef : coef);
    }
    qsort(sizes, arrlenu(sizes), sizeof *sizes, by_size_down);
    for (size_t i = 0; i < arrlenu(sizes) && !found; i++) {
        g = smt_gcd(g, sizes[i]);
        if (g > 1 && g != last)
            found = split_by(ctx, sum, g, large, small);
        last = g;
    }
    arrfree(sizes);
    return found;
}

bool smt_goal_split_equations(smt_ctx *ctx, smt_goal *goal)
{
    bool changed = false;
    for (size_t i = 0; i < arrlenu(goal->facts) && !goal->is_false; i++) {
        smt_t large, small, fact = goal->facts[i];
        if (fact->kind != SMT_EQ || !split_equation(ctx, fact, &large, &small))
            continue;
        changed = true;
        arrdel(goal->facts, i);
        i--;
        smt_goal_add(goal, large);
        smt_goal_add(goal, small);
    }
    return changed;
}

/* ---- Section: Bounds by a min or max ---- */

/* rest + c*min(x, y) <= 0 with c < 0 says the same of x and of y; so does c*max(x, y) with c > 0.
 */
static bool split_bound(smt_ctx *ctx, smt_t fact, smt_t *first, smt_t *second)
{
    smt_t sum = fact->args[0], x, y;
    for (size_t i = 0; i < smt_n_monos(sum); i++) {
        smt_mono mono = smt_mono_at(sum, i);
        int sign = smt_is_min_max(mono.term, &x, &y);
        if (sign == 0 || (sign > 0) != (mono.coef < 0))
            continue;
        smt_t rest = smt_sub(ctx, sum, smt_scale(ctx, mono.term, mono.coef));
        smt_t zero = smt_int_const(ctx, 0);
        *first = smt_le(ctx, smt_add(ctx, rest, smt_scale(ctx, x, mono.coef)), zero);
        *second = smt_le(ctx, smt_add(ctx, rest, smt_scale(ctx, y, mono.coef)), zero);
        return true;
    }
    return false;
}

/* Each half may have a min of its own: in a chain of them their number doubles with each. */
enum { MAX_BOUNDS = 200 };

bool smt_goal_split_bounds(smt_ctx *ctx, smt_goal *goal)
{
    bool changed = false;
    int left = MAX_BOUNDS;
    for (size_t i = 0; i < arrlenu(goal->facts) && !goal->is_false && left > 0; i++) {
        smt_t first, second, fact = goal->facts[i];
        if (fact->kind != SMT_LE || !smt_has(fact, SMT_HAS_ITE) ||
            !split_bound(ctx, fact, &first, &second))
            continue;
        changed = true;
        left--;
        arrdel(goal->facts, i);
        i--;
        smt_goal_add(goal, first);
        smt_goal_add(goal, second);
    }
    return changed;
}

/* ---- Section: Elimination ---- */

static bool is_linear(smt_t sum)
{
    for (size_t i = 0; i < smt_n_monos(sum); i++) {
        if (smt_mono_at(sum, i).term->kind != SMT_VAR)
            return false;
    }
    return smt_n_monos(sum) <= MAX_LINEAR_SUMMANDS;
}

/* In how many equations is the variable a summand? */
static int count_equations(const smt_goal *goal, smt_t variable)
{
    int count = 0;
    for (size_t i = 0; i < arrlenu(goal->facts); i++) {
        smt_t fact = goal->facts[i];
        for (size_t k = 0; fact->kind == SMT_EQ && k < smt_n_monos(fact->args[0]); k++)
            count += smt_mono_at(fact->args[0], k).term == variable;
    }
    return count;
}

/* The variable that the equation gives. Of many, the one that most other equations have too, so
 * that what is left of those speaks of the same; then the oldest, for a numerator is older than its
 * quotient and remainder, which say more. */
static bool solve(smt_ctx *ctx, const smt_goal *goal, smt_t equation, smt_elimination elimination,
                  smt_t *what, smt_t *by)
{
    smt_t sum = equation->args[0];
    int most = 0;
    if (elimination == SMT_ELIMINATE_LINEAR && !is_linear(sum))
        return false;
    for (size_t i = 0; i < smt_n_monos(sum); i++) {
        smt_mono mono = smt_mono_at(sum, i);
        if (mono.term->kind != SMT_VAR || (mono.coef != 1 && mono.coef != -1))
            continue;
        int count = count_equations(goal, mono.term);
        if (count <= most)
            continue;
        smt_t rest = smt_sub(ctx, sum, smt_scale(ctx, mono.term, mono.coef));
        if (smt_contains(rest, mono.term) ||
            (goal->keep_factors && smt_goal_is_radix(goal, mono.term)))
            continue;
        most = count;
        *what = mono.term;
        *by = smt_scale(ctx, rest, -mono.coef);
    }
    return most > 0;
}

/* A fact that is a boolean variable, or the negation of one, or an application. */
static bool is_flag(smt_t fact)
{
    smt_t inner = fact->kind == SMT_NOT ? fact->args[0] : fact;
    return inner->kind == SMT_BVAR;
}

bool smt_goal_eliminate(smt_ctx *ctx, smt_goal *goal, smt_elimination elimination)
{
    bool changed = false;
    int most = elimination == SMT_ELIMINATE_ONE ? 1 : MAX_ELIMINATIONS;
    for (int count = 0; count < most && !goal->is_false && !smt_is_over(ctx); count++) {
        bool found = false;
        for (size_t i = 0; i < arrlenu(goal->facts) && !found; i++) {
            smt_t fact = goal->facts[i], what, by;
            if (is_flag(fact)) {
                smt_t flag = fact->kind == SMT_NOT ? fact->args[0] : fact;
                arrdel(goal->facts, i);
                smt_t truth = smt_bool_const(ctx, flag == fact);
                smt_goal_replace(ctx, goal, flag, truth);
                arrput(goal->definitions, ((smt_definition){flag, truth}));
                found = true;
            } else if (fact->kind == SMT_EQ && solve(ctx, goal, fact, elimination, &what, &by)) {
                arrdel(goal->facts, i);
                smt_goal_define(ctx, goal, what, by);
                found = true;
            }
        }
        if (!found)
            break;
        changed = true;
    }
    return changed;
}

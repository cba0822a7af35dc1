/* A little prover for bounds: adds multiples of the facts until a range decides.
 *
 * To show that e <= 0, its summand that spoils the bound most is cancelled with a fact l <= 0 that
 * has it with the same sign: e <= e - k*l for k >= 0. k may be a product of what is known not
 * negative. Then the rest is looked at, a few steps deep. No solver; microseconds. */
#include "goal/linear.h"

#include "goal/goal.h"
#include "terms/bool.h"
#include "terms/divide.h"
#include "terms/node.h"
#include "terms/poly.h"
#include "terms/range.h"

#include "base/ds.h"

enum {
    MAX_STEPS = 8,
    FEW_STEPS = 4,
    LITTLE_WORK = 60,
    MAX_CANDIDATES = 16,
    MAX_WORK = 200,    /* facts cancelled for one question */
    MAX_WORST = 3,     /* summands tried at each step */
    MAX_SUMMANDS = 16, /* of what is left; longer sums lead nowhere */
};

typedef struct linear {
    smt_ctx *ctx;
    const smt_goal *goal;
    int work; /* left */
} linear;

static bool show(linear *l, smt_t sum, int steps);

/* How much the summand can add at most; SMT_NO_HIGH when that is unlimited. */
static smt_int reach(smt_mono mono)
{
    return smt_range_scale(smt_range_of(mono.term), mono.coef).high;
}

static size_t n_factors(smt_t mono)
{
    return mono->kind == SMT_PROD ? mono->n_args : 1;
}

/* sum - k * fact, where the fact's summand cancels one of the sum. NULL: it does not. */
static smt_t cancel(linear *l, smt_t sum, smt_mono target, smt_t fact, smt_mono own, int sign)
{
    smt_int coef = own.coef * sign;
    if ((coef > 0) != (target.coef > 0) || target.coef % coef != 0 ||
        n_factors(own.term) > n_factors(target.term))
        return NULL;
    smt_t cofactor = smt_mono_divide(l->ctx, target.term, own.term);
    if (!cofactor || cofactor->low < 0)
        return NULL;
    l->work--;
    smt_t product = cofactor->kind == SMT_INT ? fact : smt_mul(l->ctx, fact, cofactor);
    return smt_sub(l->ctx, sum, smt_scale(l->ctx, product, target.coef / coef * sign));
}

/* The sum that is left after one fact was used, and how much of it spoils the bound. */
typedef struct candidate {
    smt_t rest;
    size_t spoiling;
} candidate;

static size_t count_spoiling(smt_t sum)
{
    size_t count = 0;
    for (size_t i = 0; i < smt_n_monos(sum); i++)
        count += reach(smt_mono_at(sum, i)) > 0;
    return count;
}

static size_t use_fact(linear *l, smt_t sum, smt_mono target, smt_t fact, int sign, size_t n,
                       candidate *list)
{
    for (size_t i = 0; i < smt_n_monos(fact) && l->work > 0 && n < MAX_CANDIDATES; i++) {
        smt_t rest = cancel(l, sum, target, fact, smt_mono_at(fact, i), sign);
        if (rest && smt_n_monos(rest) <= MAX_SUMMANDS)
            list[n++] = (candidate){rest, count_spoiling(rest)};
    }
    return n;
}

/* The summand cancelled by each fact that has it. */
static size_t cancel_summand(linear *l, smt_t sum, smt_mono target, size_t n, candidate *list)
{
    for (size_t i = 0; i < arrlenu(l->goal->facts); i++) {
        smt_t fact = l->goal->facts[i];
        if ((fact->kind != SMT_LE && fact->kind != SMT_EQ) || fact == l->goal->ignored)
            continue;
        smt_tick(l->ctx, smt_n_monos(fact->args[0]));
        n = use_fact(l, sum, target, fact->args[0], 1, n, list);
        if (fact->kind == SMT_EQ)
            n = use_fact(l, sum, target, fact->args[0], -1, n, list);
    }
    return n;
}

/* The summands that spoil the bound, the worst first; at most MAX_WORST. */
static size_t find_worst(smt_t sum, smt_mono *worst)
{
    size_t n = 0;
    for (size_t i = 0; i < smt_n_monos(sum); i++) {
        smt_mono mono = smt_mono_at(sum, i);
        smt_int size = reach(mono);
        size_t at = n;
        while (at > 0 && size > reach(worst[at - 1]))
            at--;
        if (size <= 0 || at == MAX_WORST)
            continue;
        if (n < MAX_WORST)
            n++;
        for (size_t k = n - 1; k > at; k--)
            worst[k] = worst[k - 1];
        worst[at] = mono;
    }
    return n;
}

/* One step: the most promising rest first. */
static bool show_by_facts(linear *l, smt_t sum, int steps)
{
    smt_mono worst[MAX_WORST];
    candidate list[MAX_CANDIDATES];
    size_t n = 0, n_worst = find_worst(sum, worst);
    for (size_t i = 0; i < n_worst; i++)
        n = cancel_summand(l, sum, worst[i], n, list);
    for (size_t tried = 0; tried < n; tried++) {
        size_t best = tried;
        for (size_t i = tried + 1; i < n; i++) {
            if (list[i].spoiling < list[best].spoiling)
                best = i;
        }
        candidate next = list[best];
        list[best] = list[tried];
        if (show(l, next.rest, steps - 1))
            return true;
    }
    return false;
}

/* sum - c*min(x, y) <= 0 holds when it holds of x and of y (c > 0); so with + c*max(x, y).
 * 1: shown, 0: not shown, -1: no such summand. */
static int show_branches(linear *l, smt_t sum, int steps)
{
    for (size_t i = 0; i < smt_n_monos(sum); i++) {
        smt_t x, y;
        smt_mono mono = smt_mono_at(sum, i);
        int sign = smt_is_min_max(mono.term, &x, &y);
        if (sign == 0 || (sign > 0) != (mono.coef < 0))
            continue;
        smt_t rest = smt_sub(l->ctx, sum, smt_scale(l->ctx, mono.term, mono.coef));
        return show(l, smt_add(l->ctx, rest, smt_scale(l->ctx, x, mono.coef)), steps) &&
               show(l, smt_add(l->ctx, rest, smt_scale(l->ctx, y, mono.coef)), steps);
    }
    return -1;
}

static bool show(linear *l, smt_t sum, int steps)
{
    if (sum->high <= 0)
        return true;
    if (steps == 0 || l->work <= 0)
        return false;
    int by_branches = smt_has(sum, SMT_HAS_ITE) ? show_branches(l, sum, steps) : -1;
    if (by_branches >= 0)
        return by_branches;
    return show_by_facts(l, sum, steps);
}

static bool show_within(smt_ctx *ctx, smt_goal *goal, smt_t sum, int most_steps, int most_work)
{
    int work = goal->work < most_work ? goal->work : most_work;
    linear l = {ctx, goal, work};
    bool shown = false;
    /* Short proofs first: they are not missed for the long way to nowhere. */
    for (int steps = most_steps < 2 ? most_steps : 2; steps <= most_steps && !shown; steps += 2)
        shown = show(&l, sum, steps);
    goal->work -= work - l.work;
    return shown;
}

bool smt_goal_shows(smt_ctx *ctx, smt_goal *goal, smt_t sum, smt_effort effort)
{
    if (effort == SMT_QUICKLY)
        return show_within(ctx, goal, sum, FEW_STEPS, LITTLE_WORK);
    return show_within(ctx, goal, sum, MAX_STEPS, MAX_WORK);
}

/* ---- Section: Signs of factors ---- */

/* F*G + R <= 0 with F >= 0 and R > 0: then F*G < 0, and so G < 0 and F > 0. */
static bool factor_fact(smt_ctx *ctx, smt_goal *goal, smt_t sum, smt_t factor, smt_t *fact)
{
    smt_t g, rest;
    if (factor->low < 0)
        return false;
    smt_split_factor(ctx, sum, (smt_mono){factor, 1}, &g, &rest);
    if (rest->low <= 0)
        return false;
    smt_t claim = smt_add(ctx, g, smt_int_const(ctx, 1));
    if (g->kind == SMT_INT)
        return false;
    smt_t one = smt_int_const(ctx, 1), zero = smt_int_const(ctx, 0);
    bool old_g = claim->high <= 0 || show_within(ctx, goal, claim, 1, LITTLE_WORK);
    bool old_f =
        factor->low > 0 || show_within(ctx, goal, smt_sub(ctx, one, factor), 1, LITTLE_WORK);
    *fact = smt_and(ctx, old_g ? smt_bool_const(ctx, true) : smt_le(ctx, claim, zero),
                    old_f ? smt_bool_const(ctx, true) : smt_ge(ctx, factor, one));
    return !old_g || !old_f;
}

static void add_parts(smt_goal *goal, smt_t fact)
{
    if (fact->kind != SMT_AND)
        smt_goal_add(goal, fact);
    for (uint32_t i = 0; fact->kind == SMT_AND && i < fact->n_args; i++)
        smt_goal_add(goal, fact->args[i]);
}

bool smt_goal_use_products(smt_ctx *ctx, smt_goal *goal)
{
    bool changed = false;
    size_t n = arrlenu(goal->facts);
    for (size_t i = 0; i < n && !goal->is_false; i++) {
        smt_t fact = goal->facts[i], derived;
        if (fact->kind != SMT_LE || !smt_has(fact, SMT_HAS_PRODUCT))
            continue;
        smt_t sum = fact->args[0];
        for (size_t k = 0; k < smt_n_monos(sum); k++) {
            smt_t product = smt_mono_at(sum, k).term;
            for (uint32_t f = 0; product->kind == SMT_PROD && f < product->n_args; f++) {
                if (factor_fact(ctx, goal, sum, product->args[f], &derived)) {
                    add_parts(goal, derived);
                    changed = true;
                }
            }
        }
    }
    return changed;
}

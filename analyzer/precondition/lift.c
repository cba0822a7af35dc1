/* Turns a condition on one tile block's numbers into one on the launch: block ids, loop counters
 * and in-tile coordinates are replaced by their ends, so that `bid.x < n` becomes `grid.x <= n`,
 * which a contract can say. The result is a guess that is hardly stronger than needed; its user has
 * to prove that it is enough. */
#include "precondition/lift.h"

#include "question/ask.h"
#include "question/checker.h"
#include "question/layout.h"

#include "base/ds.h"

enum { MAX_DEPTH = 12, MAX_NUMBER = 1 << 24, MAX_VISITS = 4000 };

typedef struct lifting {
    checker *k;
    smt_t when;       /* path and facts of the event */
    unsigned *visits; /* of terms so far: one that is shared is visited again for each use */
} lifting;

static smt_t end_of(const lifting *l, smt_t term, bool upper, int depth);

static smt_t number(const lifting *l, smt_int value)
{
    return smt_int_const(l->k->ctx, value);
}

/* ---- Section: sums under conditions of the path ---- */

/* How often does the condition `cond` (a sum that is <= 0) fit into `sum`? It fits where all
 * private summands of `cond`, times one positive number, are summands of `sum`; the result is that
 * number. 0: it does not fit. */
static smt_int times_in(const lifting *l, smt_t cond, smt_t sum)
{
    smt_int times = 0;
    for (uint32_t i = 0; i < cond->n_args; i++) {
        if (term_is_launch_constant(l->k, cond->args[i]))
            continue;
        smt_int coef = 0;
        for (uint32_t j = 0; j < sum->n_args; j++)
            if (sum->args[j] == cond->args[i])
                coef = sum->coefs[j];
        if (coef == 0 || coef % cond->coefs[i] != 0)
            return 0;
        smt_int now = coef / cond->coefs[i];
        if (now <= 0 || (times && now != times))
            return 0;
        times = now;
    }
    return times;
}

/* The condition's private summands, and what they can be divided by. */
static smt_t private_part(const lifting *l, smt_t cond, smt_int *divisor)
{
    smt_t part = number(l, 0);
    *divisor = 0;
    for (uint32_t i = 0; i < cond->n_args; i++) {
        if (term_is_launch_constant(l->k, cond->args[i]))
            continue;
        part = smt_add(l->k->ctx, part, smt_scale(l->k->ctx, cond->args[i], cond->coefs[i]));
        *divisor = smt_gcd(*divisor, cond->coefs[i]);
    }
    return part;
}

/* The greatest value of cond's private summands: with 128 * bid < n on the path it is
 * (n - 1) / 128 * 128, not n - 1. */
static smt_t end_of_private(const lifting *l, smt_t cond, smt_t part, smt_int divisor)
{
    smt_ctx *ctx = l->k->ctx;
    smt_t end = smt_sub(ctx, part, cond);
    if (divisor <= 1)
        return end;
    return smt_scale(ctx, smt_div(ctx, end, number(l, divisor)), divisor);
}

/* The end that a condition gives a sum: `bid + k * grid < n` on the path makes n - 1 the end of
 * `bid + k * grid`. NULL: it gives none.
 */
static smt_t end_by_condition(const lifting *l, smt_t condition, smt_t sum, int depth)
{
    if (condition->kind == SMT_AND) {
        for (uint32_t i = 0; i < condition->n_args; i++) {
            smt_t end = end_by_condition(l, condition->args[i], sum, depth);
            if (end)
                return end;
        }
        return NULL;
    }
    if (condition->kind != SMT_LE || condition->args[0]->kind != SMT_SUM)
        return NULL;
    smt_t cond = condition->args[0];
    if (cond->value < -MAX_NUMBER || cond->value > MAX_NUMBER)
        return NULL; /* the range of a type: it says nothing of what the launch is like */
    smt_int times = times_in(l, cond, sum);
    if (times == 0)
        return NULL;
    smt_int divisor;
    smt_t part = private_part(l, cond, &divisor), end = end_of_private(l, cond, part, divisor);
    smt_t rest =
        smt_add(l->k->ctx, sum, smt_scale(l->k->ctx, smt_sub(l->k->ctx, end, part), times));
    return end_of(l, rest, true, depth + 1);
}

static smt_t as_sum(const lifting *l, smt_t term)
{
    /* Puts a summand beside a number, so that it has the shape of a sum. */
    return term->kind == SMT_SUM ? term : smt_add(l->k->ctx, term, number(l, 1));
}

static smt_t end_by_path(const lifting *l, smt_t term, bool upper, int depth)
{
    smt_ctx *ctx = l->k->ctx;
    smt_t sum = as_sum(l, upper ? term : smt_neg(ctx, term));
    smt_t end = sum->kind == SMT_SUM ? end_by_condition(l, l->when, sum, depth) : NULL;
    if (!end)
        return NULL;
    if (term->kind != SMT_SUM && upper)
        end = smt_sub(ctx, end, number(l, 1));
    return upper ? end : smt_neg(ctx, end);
}

/* ---- Section: ends of terms ---- */

static smt_t end_of_variable(const lifting *l, smt_t variable, bool upper, int depth)
{
    checker *k = l->k;
    for (int axis = 0; axis < 3; axis++)
        if (k->s->block_id[axis] == variable)
            return upper ? smt_sub(k->ctx, k->s->grid[axis], number(l, 1)) : number(l, 0);
    for (size_t i = 0; i < arrlenu(k->s->loops); i++) {
        if (k->s->loops[i]->counter != variable)
            continue;
        if (!upper)
            return number(l, 0);
        return k->s->loops[i]->last ? end_of(l, k->s->loops[i]->last, true, depth + 1) : NULL;
    }
    if (variable->kind != SMT_VAR)
        return NULL;
    if (upper)
        return variable->high < SMT_NO_HIGH ? number(l, variable->high) : NULL;
    return variable->low > SMT_NO_LOW ? number(l, variable->low) : NULL;
}

static bool is_natural(smt_t term)
{
    smt_int low, high;
    smt_bounds(term, &low, &high);
    return low >= 0;
}

/* A product at its greatest or least: one factor that is the block's own, not negative, times
 * factors of the launch; or several factors of the block's own, none negative. */
static smt_t end_of_product(const lifting *l, smt_t product, bool upper, int depth)
{
    smt_ctx *ctx = l->k->ctx;
    smt_t shared = number(l, 1), own = NULL;
    for (uint32_t i = 0; i < product->n_args; i++) {
        smt_t factor = product->args[i];
        if (term_is_launch_constant(l->k, factor)) {
            shared = smt_mul(ctx, shared, factor);
            continue;
        }
        smt_t end = end_of(l, factor, upper || !is_natural(shared), depth + 1);
        if (!end || !is_natural(factor))
            return NULL;
        own = own ? smt_mul(ctx, own, end) : end;
    }
    smt_t end = smt_mul(ctx, shared, own);
    if (is_natural(shared))
        return end;
    return upper ? smt_max(ctx, number(l, 0), end) : smt_min(ctx, number(l, 0), end);
}

/* Returns the part of the summand that is the same in all blocks and of unknown sign; NULL:
 * nothing. */
static smt_t unsigned_part(const lifting *l, smt_t summand)
{
    smt_t shared = number(l, 1);
    for (uint32_t i = 0; summand->kind == SMT_PROD && i < summand->n_args; i++)
        if (term_is_launch_constant(l->k, summand->args[i]))
            shared = smt_mul(l->k->ctx, shared, summand->args[i]);
    return smt_is_const(shared, NULL) || is_natural(shared) ? NULL : shared;
}

/* stride * x + stride * y is stride * (x + y): one end, whatever the sign of the stride. */
static smt_t gathered(const lifting *l, smt_t sum, smt_t shared, smt_t *rest)
{
    smt_ctx *ctx = l->k->ctx;
    smt_t inner = number(l, 0);
    *rest = number(l, sum->value);
    for (uint32_t i = 0; i < sum->n_args; i++) {
        smt_t summand = sum->args[i], own = number(l, 1);
        if (unsigned_part(l, summand) != shared) {
            *rest = smt_add(ctx, *rest, smt_scale(ctx, summand, sum->coefs[i]));
            continue;
        }
        for (uint32_t f = 0; f < summand->n_args; f++)
            if (!term_is_launch_constant(l->k, summand->args[f]))
                own = smt_mul(ctx, own, summand->args[f]);
        inner = smt_add(ctx, inner, smt_scale(ctx, own, sum->coefs[i]));
    }
    return inner;
}

static smt_t end_of_gathered(const lifting *l, smt_t sum, smt_t shared, bool upper, int depth)
{
    smt_ctx *ctx = l->k->ctx;
    smt_t rest, inner = gathered(l, sum, shared, &rest);
    smt_t high = end_of(l, inner, true, depth + 1), low = end_of(l, inner, false, depth + 1);
    smt_t others = end_of(l, rest, upper, depth + 1);
    if (!high || !low || !others)
        return NULL;
    smt_t a = smt_mul(ctx, shared, high), b = smt_mul(ctx, shared, low);
    return smt_add(ctx, others, upper ? smt_max(ctx, a, b) : smt_min(ctx, a, b));
}

static smt_t end_of_sum(const lifting *l, smt_t sum, bool upper, int depth)
{
    smt_ctx *ctx = l->k->ctx;
    smt_t total = number(l, sum->value);
    for (uint32_t i = 0; i < sum->n_args; i++) {
        smt_t shared =
            term_is_launch_constant(l->k, sum->args[i]) ? NULL : unsigned_part(l, sum->args[i]);
        if (shared)
            return end_of_gathered(l, sum, shared, upper, depth);
    }
    for (uint32_t i = 0; i < sum->n_args && total; i++) {
        smt_t part = end_of(l, sum->args[i], (sum->coefs[i] > 0) == upper, depth + 1);
        total = part ? smt_add(ctx, total, smt_scale(ctx, part, sum->coefs[i])) : NULL;
    }
    return total;
}

/* summand / (base * count), where that leaves nothing over; else NULL. */
static smt_t summand_over(smt_ctx *ctx, smt_t summand, smt_int coef, smt_t base, smt_int count)
{
    smt_t rest = smt_int_const(ctx, 1);
    bool found = base == NULL;
    size_t n = summand->kind == SMT_PROD ? summand->n_args : 1;
    for (size_t i = 0; i < n; i++) {
        smt_t factor = summand->kind == SMT_PROD ? summand->args[i] : summand;
        if (!found && factor == base)
            found = true;
        else
            rest = smt_mul(ctx, rest, factor);
    }
    return found && coef % count == 0 ? smt_scale(ctx, rest, coef / count) : NULL;
}

smt_t require_exact_quotient(smt_ctx *ctx, smt_t whole, smt_t divisor)
{
    smt_int count = 1;
    smt_t base = divisor, total = smt_int_const(ctx, 0);
    if (smt_is_const(divisor, &count)) {
        base = NULL;
    } else if (divisor->kind == SMT_SUM && divisor->n_args == 1 && divisor->value == 0) {
        base = divisor->args[0];
        count = divisor->coefs[0];
    }
    if (count <= 0)
        return NULL;
    smt_int number;
    if (smt_is_const(whole, &number) && !base)
        return number % count == 0 ? smt_int_const(ctx, number / count) : NULL;
    if (whole->kind != SMT_SUM)
        return summand_over(ctx, whole, 1, base, count);
    if (whole->value % count != 0 || (base && whole->value != 0))
        return NULL;
    for (uint32_t i = 0; i < whole->n_args && total; i++) {
        smt_t part = summand_over(ctx, whole->args[i], whole->coefs[i], base, count);
        total = part ? smt_add(ctx, total, part) : NULL;
    }
    return total ? smt_add(ctx, total, smt_int_const(ctx, whole->value / count)) : NULL;
}

/* (b * q - 1) / b is q - 1. */
static smt_t divide_end(const lifting *l, smt_t end, smt_t divisor)
{
    smt_ctx *ctx = l->k->ctx;
    smt_t quotient = require_exact_quotient(ctx, smt_add(ctx, end, number(l, 1)), divisor);
    if (quotient)
        return smt_sub(ctx, quotient, number(l, 1));
    return smt_div(ctx, end, divisor);
}

static smt_t end_of_quotient(const lifting *l, smt_t term, bool upper, int depth)
{
    smt_ctx *ctx = l->k->ctx;
    if (!term_is_launch_constant(l->k, term->args[1]))
        return NULL;
    smt_t end = end_of(l, term->args[0], upper, depth + 1);
    if (!end)
        return NULL;
    return upper ? divide_end(l, end, term->args[1]) : smt_div(ctx, end, term->args[1]);
}

static smt_t end_of_remainder(const lifting *l, smt_t term, bool upper, int depth)
{
    if (!upper)
        return number(l, 0);
    smt_t divisor = end_of(l, term->args[1], true, depth + 1);
    if (!divisor)
        return NULL;
    smt_t most = smt_sub(l->k->ctx, divisor, number(l, 1));
    smt_t whole = is_natural(term->args[0]) ? end_of(l, term->args[0], true, depth + 1) : NULL;
    smt_int a, b; /* numbers only: which of two sizes is the smaller says little */
    return whole && smt_is_const(whole, &a) && smt_is_const(most, &b) && a < b ? whole : most;
}

enum { LIFT = 100 * 1000 }; /* steps */

/* Is the condition the same wherever the event happens? 1: it holds, 0: it does not, -1: either. */
static int decided(const lifting *l, smt_t condition)
{
    query event = query_with(l->k, query_of_launch(l->k), l->when);
    for (int yes = 0; yes < 2; yes++) {
        smt_t other = yes ? smt_not(l->k->ctx, condition) : condition;
        if (ask_verdict(l->k, query_with(l->k, event, other), "lift", LIFT) == SMT_UNSAT)
            return yes;
    }
    return -1;
}

static smt_t end_of_choice(const lifting *l, smt_t term, bool upper, int depth)
{
    smt_ctx *ctx = l->k->ctx;
    smt_t x = end_of(l, term->args[1], upper, depth + 1);
    smt_t y = end_of(l, term->args[2], upper, depth + 1);
    if (x && x == y)
        return x;
    bool is_min = smt_min(ctx, term->args[1], term->args[2]) == term;
    bool is_max = smt_max(ctx, term->args[1], term->args[2]) == term;
    if ((is_min && upper) || (is_max && !upper)) /* each end is one */
        return x && y ? is_min ? smt_min(ctx, x, y) : smt_max(ctx, x, y) : x ? x : y;
    int sure = is_min || is_max ? -1 : decided(l, term->args[0]);
    if (sure >= 0)
        return sure ? x : y;
    if (!x || !y)
        return NULL;
    return upper ? smt_max(ctx, x, y) : smt_min(ctx, x, y);
}

/* Greatest (or least) value of the term over all blocks, iterations and elements; NULL: it has none
 * that the launch alone could tell. */
static smt_t end_of(const lifting *l, smt_t term, bool upper, int depth)
{
    if (term_is_launch_constant(l->k, term))
        return term;
    if (depth > MAX_DEPTH || ++*l->visits > MAX_VISITS)
        return NULL;
    smt_t end = end_by_path(l, term, upper, depth);
    if (end)
        return end;
    switch (term->kind) {
    case SMT_SUM:
        return end_of_sum(l, term, upper, depth);
    case SMT_PROD:
        return end_of_product(l, term, upper, depth);
    case SMT_DIV:
        return end_of_quotient(l, term, upper, depth);
    case SMT_MOD:
        return end_of_remainder(l, term, upper, depth);
    case SMT_ITE:
        return end_of_choice(l, term, upper, depth);
    case SMT_VAR:
        return end_of_variable(l, term, upper, depth);
    default:
        return NULL;
    }
}

/* ---- Section: conditions ---- */

/* The term that is 0 or less where the condition holds, and nowhere else; NULL: it has another
 * form. What is never negative is 0 where it is 0 or less, and x / 8 is 0 where x is 7 or less: so
 * is a quotient below 1 written. */
static smt_t kept_low(const lifting *l, smt_t safe)
{
    smt_ctx *ctx = l->k->ctx;
    if (safe->kind == SMT_LE)
        return safe->args[0];
    if (safe->kind != SMT_EQ)
        return NULL;
    smt_t term = is_natural(safe->args[0]) ? safe->args[0] : smt_neg(ctx, safe->args[0]);
    smt_int divisor;
    if (!is_natural(term))
        return NULL;
    if (term->kind == SMT_DIV && is_natural(term->args[0]) &&
        smt_is_const(term->args[1], &divisor) && divisor > 0)
        return smt_sub(ctx, term->args[0], number(l, divisor - 1));
    return term;
}

static smt_t lift(const lifting *l, smt_t safe)
{
    smt_ctx *ctx = l->k->ctx;
    if (term_is_launch_constant(l->k, safe))
        return safe;
    if (safe->kind == SMT_AND) {
        smt_t all = smt_bool_const(ctx, true);
        for (uint32_t i = 0; i < safe->n_args && all; i++) {
            smt_t part = lift(l, safe->args[i]);
            all = part ? smt_and(ctx, all, part) : NULL;
        }
        return all;
    }
    smt_t low = kept_low(l, safe);
    smt_t greatest = low ? end_of(l, low, true, 0) : NULL;
    return greatest ? smt_le(ctx, greatest, smt_int_const(ctx, 0)) : NULL;
}

smt_t require_lift(checker *k, smt_t safe, smt_t when)
{
    unsigned visits = 0;
    lifting l = {k, when, &visits};
    return lift(&l, safe);
}

smt_t require_greatest(checker *k, smt_t term, smt_t when)
{
    unsigned visits = 0;
    lifting l = {k, when, &visits};
    return end_of(&l, term, true, 0);
}

smt_t require_upper_end(checker *k, smt_t variable)
{
    return require_greatest(k, variable, smt_bool_const(k->ctx, true));
}

/* Which tile block, iteration and element of a tile stores to a given element? The answer is a
 * guess by the form of indices: sums whose factors are told apart by size, quotients and remainders
 * of one number. */
#include <string.h>

#include "base/ds.h"
#include "compare/footprint.h"

#define MOST_ROUNDS 64

typedef struct equation {
    smt_t left, right; /* over the unknowns, and over what is known */
} equation;

typedef struct inversion {
    smt_ctx *ctx;
    const footprint *y;
    smt_t *values; /* of y->own; NULL: not known yet */
    equation *open;
    struct split {
        smt_t of, by;              /* a number, and what it is divided by */
        smt_t quotient, remainder; /* or NULL */
        bool is_done;
    } *splits;
} inversion;

static bool is_unknown(const inversion *v, smt_t term)
{
    for (size_t i = 0; i < v->y->n_own; i++)
        if (smt_contains(term, v->y->own[i]))
            return true;
    return false;
}

/* Replaces unknowns, quotients and remainders by what is known of them by now. */
static smt_t replace(void *user, smt_t term)
{
    const inversion *v = user;
    for (size_t i = 0; i < v->y->n_own; i++)
        if (term == v->y->own[i])
            return v->values[i];
    for (size_t i = 0; i < arrlenu(v->splits); i++)
        if ((term->kind == SMT_DIV || term->kind == SMT_MOD) && term->args[0] == v->splits[i].of &&
            term->args[1] == v->splits[i].by)
            return term->kind == SMT_DIV ? v->splits[i].quotient : v->splits[i].remainder;
    return NULL;
}

static smt_t simplified(inversion *v, smt_t term)
{
    return smt_rewrite(v->ctx, term, replace, v);
}

static void learn_split(inversion *v, smt_t atom, smt_t value)
{
    size_t i = 0;
    while (i < arrlenu(v->splits) &&
           (v->splits[i].of != atom->args[0] || v->splits[i].by != atom->args[1]))
        i++;
    if (i == arrlenu(v->splits)) {
        struct split fresh = {.of = atom->args[0], .by = atom->args[1]};
        arrput(v->splits, fresh);
    }
    *(atom->kind == SMT_DIV ? &v->splits[i].quotient : &v->splits[i].remainder) = value;
}

static bool learn(inversion *v, smt_t atom, smt_t value)
{
    for (size_t i = 0; i < v->y->n_own; i++)
        if (v->y->own[i] == atom) {
            v->values[i] = value;
            return true;
        }
    if (atom->kind == SMT_DIV || atom->kind == SMT_MOD) {
        learn_split(v, atom, value);
        return true;
    }
    if (atom->kind == SMT_NAMED) {
        arrput(v->open, ((equation){atom->args[0], value}));
        return true;
    }
    return false;
}

typedef struct summand { /* factor * atom */
    smt_t factor, atom;
} summand;

/* The summand's factor that is known, and the one atom that is not; false: it has two. */
static bool take_apart(inversion *v, smt_t term, smt_int coefficient, summand *s)
{
    s->factor = smt_int_const(v->ctx, coefficient);
    s->atom = NULL;
    if (term->kind != SMT_PROD) {
        s->atom = term;
        return true;
    }
    for (uint32_t i = 0; i < term->n_args; i++) {
        if (!is_unknown(v, term->args[i]))
            s->factor = smt_mul(v->ctx, s->factor, term->args[i]);
        else if (s->atom)
            return false;
        else
            s->atom = term->args[i];
    }
    return s->atom != NULL;
}

/* Is the first one's factor the larger one? Of one that is no number, that is taken for granted. */
static bool is_larger(const summand *a, const summand *b)
{
    smt_int x, y;
    if (!smt_is_const(b->factor, &y))
        return false;
    return !smt_is_const(a->factor, &x) || (x < 0 ? -x : x) > (y < 0 ? -y : y);
}

static void sort(summand *all)
{
    for (size_t i = 1; i < arrlenu(all); i++)
        for (size_t k = i; k > 0 && is_larger(&all[k], &all[k - 1]); k--) {
            summand s = all[k];
            all[k] = all[k - 1];
            all[k - 1] = s;
        }
}

/* Digits of a number in the radices that the factors are, the largest first. */
static bool solve_sum(inversion *v, const summand *all, smt_t right)
{
    for (size_t i = 0; i < arrlenu(all); i++) {
        smt_int factor = 0;
        bool is_number = smt_is_const(all[i].factor, &factor);
        bool is_negative = is_number && factor < 0;
        smt_t radix = is_negative ? smt_neg(v->ctx, all[i].factor) : all[i].factor;
        bool is_one = is_number && (factor == 1 || factor == -1);
        smt_t digit = is_one ? right : smt_div(v->ctx, right, radix);
        if ((is_number && factor == 0) ||
            !learn(v, all[i].atom, is_negative ? smt_neg(v->ctx, digit) : digit))
            return false;
        if (i + 1 < arrlenu(all))
            right = smt_mod(v->ctx, right, radix);
    }
    return true;
}

/* False: it is not of a form that can be solved. */
static bool solve(inversion *v, equation e)
{
    smt_t left = simplified(v, e.left), right = e.right;
    summand *all = NULL;
    bool good = true;
    if (!is_unknown(v, left))
        return true;
    if (left->kind == SMT_SUM) {
        right = smt_sub(v->ctx, right, smt_int_const(v->ctx, left->value));
        for (uint32_t i = 0; i < left->n_args && good; i++) {
            summand s;
            if (!is_unknown(v, left->args[i]))
                right = smt_sub(v->ctx, right, smt_scale(v->ctx, left->args[i], left->coefs[i]));
            else if ((good = take_apart(v, left->args[i], left->coefs[i], &s)))
                arrput(all, s);
        }
    } else {
        summand s;
        good = take_apart(v, left, 1, &s);
        if (good)
            arrput(all, s);
    }
    if (good) {
        sort(all);
        good = solve_sum(v, all, right);
    }
    arrfree(all);
    return good;
}

/* A number of which quotient and remainder are known is known. */
static void join_splits(inversion *v)
{
    for (size_t i = 0; i < arrlenu(v->splits); i++) {
        struct split *s = &v->splits[i];
        if (s->is_done || !s->quotient || !s->remainder)
            continue;
        smt_t by = simplified(v, s->by);
        if (is_unknown(v, by))
            continue;
        s->is_done = true;
        smt_t value = smt_add(v->ctx, smt_mul(v->ctx, s->quotient, by), s->remainder);
        arrput(v->open, ((equation){s->of, value}));
    }
}

static bool run(inversion *v)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        join_splits(v);
        if (arrlenu(v->open) == 0)
            return true;
        equation e = v->open[0];
        arrdel(v->open, 0);
        if (!solve(v, e))
            return false;
    }
    return false;
}

bool footprint_invert(smt_ctx *ctx, const footprint *y, const footprint *x, smt_t *values)
{
    inversion v = {.ctx = ctx, .y = y, .values = values};
    for (size_t i = 0; i < y->n_own; i++)
        values[i] = NULL;
    if (y->rank > 0 && y->rank == x->rank)
        for (int d = 0; d < y->rank; d++)
            arrput(v.open, ((equation){y->coordinate[d], x->coordinate[d]}));
    else
        arrput(v.open, ((equation){y->bytes, x->bytes}));
    bool good = run(&v);
    for (size_t i = 0; i < y->n_own; i++) { /* what nothing depends on may be anything */
        smt_int low, high;
        smt_bounds(y->own[i], &low, &high);
        values[i] = values[i] ? values[i] : smt_int_const(ctx, low > 0 ? low : 0);
    }
    arrfree(v.open);
    arrfree(v.splits);
    return good;
}

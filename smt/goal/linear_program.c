/* Comparisons as a linear program. A product is an unknown of its own; what it has to do with its
 * factors is told by rows that are made for it: a fact l <= 0, times what is not negative, where
 * that makes a product that occurs. */
#include "goal/linear_program.h"

#include "goal/goal.h"
#include "goal/simplex.h"
#include "terms/poly.h"

#include "base/ds.h"

#include <limits.h>

enum {
    MAX_FACT_SUMMANDS = 12,
    MAX_MADE = 70,
    MAX_ROUNDS = 2,
    MAX_FACTORS = 4,
    MAX_FACTS = 60,
    MAX_PAIRS = 30,
    MAX_STRANGE = 2,
    MAX_BOUNDED = 12
};

typedef struct row {
    smt_t sum;
    bool is_equation;
} row;

typedef struct seen {
    smt_t key;
    bool value;
} seen;

typedef struct maker {
    smt_ctx *ctx;
    row *rows;       /* stb_ds array */
    seen *known;     /* stb_ds map: sums of rows */
    seen *monos;     /* stb_ds map: products that occur */
    smt_t *products; /* stb_ds array: the same, in order */
} maker;

static size_t n_factors(smt_t mono)
{
    return mono->kind == SMT_PROD ? mono->n_args : 1;
}

static void note_products(maker *m, smt_t sum)
{
    for (size_t i = 0; i < smt_n_monos(sum); i++) {
        smt_t term = smt_mono_at(sum, i).term;
        if (term->kind != SMT_PROD || hmgeti(m->monos, term) >= 0)
            continue;
        hmput(m->monos, term, true);
        arrput(m->products, term);
    }
}

static void add_row(maker *m, smt_t sum, bool is_equation)
{
    if (sum->kind == SMT_INT || hmgeti(m->known, sum) >= 0)
        return;
    hmput(m->known, sum, true);
    arrput(m->rows, ((row){sum, is_equation}));
}

/* How many products of it do not occur yet; many where one is long. */
static int count_strange(maker *m, smt_t sum)
{
    int strange = 0;
    for (size_t i = 0; i < smt_n_monos(sum); i++) {
        smt_t term = smt_mono_at(sum, i).term;
        if (n_factors(term) > MAX_FACTORS)
            return INT_MAX;
        strange += term->kind == SMT_PROD && hmgeti(m->monos, term) < 0;
    }
    return strange;
}

/* Is the sum of no use as a factor, because each of its summands makes products of its own? */
static bool is_long(smt_t sum)
{
    size_t products = 0;
    for (size_t i = 0; i < smt_n_monos(sum); i++)
        products += smt_mono_at(sum, i).term->kind == SMT_PROD;
    return products > 0 || smt_n_monos(sum) > 3;
}

/* Returns what the factor exceeds its least value by, or falls short of its greatest value by; NULL
 * where it may be of either sign. */
static smt_t make_natural(smt_ctx *ctx, smt_t factor)
{
    if (factor->low >= 0)
        return smt_sub(ctx, factor, smt_int_const(ctx, factor->low));
    return factor->high <= 0 ? smt_sub(ctx, smt_int_const(ctx, factor->high), factor) : NULL;
}

/* The row times what is left of the product without one of the row's summands. */
static void multiply(maker *m, row r, smt_t product, int most_strange)
{
    for (size_t i = 0; i < smt_n_monos(r.sum); i++) {
        smt_t own = smt_mono_at(r.sum, i).term;
        if (n_factors(own) >= n_factors(product))
            continue;
        smt_t factor = smt_mono_divide(m->ctx, product, own);
        if (factor && factor->kind != SMT_INT && !r.is_equation)
            factor = make_natural(m->ctx, factor);
        if (!factor || factor->kind == SMT_INT)
            continue;
        smt_t made = smt_mul(m->ctx, r.sum, factor);
        if (count_strange(m, made) <= most_strange)
            add_row(m, made, r.is_equation);
    }
}

/* f <= 0 and g <= 0: f * g >= 0, where that speaks of products that occur. */
static void multiply_facts(maker *m, size_t n_facts, size_t most)
{
    for (size_t i = 0; i < n_facts; i++)
        for (size_t k = i + 1; k < n_facts && arrlenu(m->rows) < most; k++) {
            smt_t f = m->rows[i].sum, g = m->rows[k].sum;
            if (m->rows[i].is_equation || m->rows[k].is_equation || is_long(f) || is_long(g))
                continue;
            smt_t made = smt_neg(m->ctx, smt_mul(m->ctx, f, g));
            if (count_strange(m, made) == 0)
                add_row(m, made, false);
        }
}

static bool is_near(smt_int bound)
{
    const smt_int far = (smt_int)1 << 40;
    return bound > -far && bound < far;
}

/* (x - a) * (y - b) is not negative where a and b are both the least or both the greatest that the
 * two can be, and else not positive. */
static void add_corner(maker *m, smt_t x, smt_t y, smt_int a, smt_int b, bool alike)
{
    if (!is_near(a) || !is_near(b))
        return;
    smt_t made = smt_mul(m->ctx, smt_sub(m->ctx, x, smt_int_const(m->ctx, a)),
                         smt_sub(m->ctx, y, smt_int_const(m->ctx, b)));
    add_row(m, alike ? smt_neg(m->ctx, made) : made, false);
}

/* Adds what the ranges of two factors say of their product. */
static void bound_products(maker *m, size_t n_facts)
{
    (void)n_facts;
    for (size_t i = 0; i < arrlenu(m->products) && i < MAX_BOUNDED; i++) {
        smt_t product = m->products[i];
        if (product->n_args != 2 || product->args[0] == product->args[1])
            continue;
        smt_t x = product->args[0], y = product->args[1];
        add_corner(m, x, y, x->low, y->low, true);
        add_corner(m, x, y, x->high, y->high, true);
        add_corner(m, x, y, x->low, y->high, false);
        add_corner(m, x, y, x->high, y->low, false);
    }
}

/* Facts times what is left of the products from the first to the last. */
static void multiply_all(maker *m, size_t n_facts, size_t first, size_t last, int most_strange)
{
    size_t most = n_facts + MAX_MADE;
    for (size_t p = first; p < last; p++)
        for (size_t i = 0; i < n_facts && arrlenu(m->rows) < most; i++)
            if (smt_n_monos(m->rows[i].sum) <= MAX_FACT_SUMMANDS)
                multiply(m, m->rows[i], m->products[p], most_strange);
}

/* Makes rows without new products first: they are few, and mostly enough. */
static void make_near_rows(maker *m, size_t n_facts)
{
    multiply_facts(m, n_facts, n_facts + MAX_PAIRS);
    multiply_all(m, n_facts, 0, arrlenu(m->products), 0);
}

/* Makes rows with new products, and rows about these products. */
static void make_far_rows(maker *m, size_t n_facts)
{
    size_t first = 0;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        size_t n_products = arrlenu(m->products), n_rows = arrlenu(m->rows);
        multiply_all(m, n_facts, first, n_products, MAX_STRANGE);
        for (size_t i = n_rows; i < arrlenu(m->rows); i++)
            note_products(m, m->rows[i].sum);
        first = n_products;
    }
    bound_products(m, n_facts);
}

/* One after the other, until what is there is infeasible. */
static void (*const makers[])(maker *m, size_t n_facts) = {make_near_rows, bound_products,
                                                           make_far_rows};

bool smt_goal_is_infeasible(smt_ctx *ctx, const smt_goal *goal, smt_t *fractional, smt_int *below)
{
    maker m = {.ctx = ctx};
    for (size_t i = 0; i < arrlenu(goal->facts) && arrlenu(m.rows) < MAX_FACTS; i++) {
        smt_t fact = goal->facts[i];
        if (fact->kind != SMT_LE && fact->kind != SMT_EQ)
            continue;
        add_row(&m, fact->args[0], fact->kind == SMT_EQ);
        note_products(&m, fact->args[0]);
    }
    size_t n_facts = arrlenu(m.rows), known = 0;
    bool infeasible = false, any = arrlenu(m.products) > 0;
    smt_program *program = smt_program_new();
    for (size_t stage = 0; stage < (any ? TR_COUNT(makers) : 1) && !infeasible; stage++) {
        if (any)
            makers[stage](&m, n_facts);
        bool more = stage == 0 || arrlenu(m.rows) > known;
        for (; known < arrlenu(m.rows); known++)
            smt_program_add(program, m.rows[known].sum, m.rows[known].is_equation);
        infeasible = more && smt_program_is_infeasible(program);
    }
    if (fractional)
        *fractional = infeasible ? NULL : smt_program_fractional(program, below);
    smt_program_free(program);
    arrfree(m.rows);
    arrfree(m.products);
    hmfree(m.known);
    hmfree(m.monos);
    return infeasible;
}

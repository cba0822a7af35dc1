/* Sums and products: polynomials in a canonical order with coefficients below 2^126. */
#include "terms/poly.h"

#include "terms/divide.h"
#include "terms/node.h"
#include "terms/range.h"

#include "base/ds.h"

#include <stdlib.h>

/* Beyond these sizes a polynomial is named before it becomes part of another one. A name is
 * compared as a whole, so equal polynomials that are made in different ways may stay different
 * terms. The simplifier then misses a proof that the solver can still find, since the solver is
 * given the polynomial that a name stands for. */
enum {
    MAX_MULTIPLIED_OUT = 400, /* summands of a product */
    MAX_SUMMANDS = 400,
    MAX_DEGREE = 12, /* factors of a summand */
    /* A name is given up if its parts have changed and the polynomial is this short. */
    SHORT_SUM = 16,    /* summands */
    SHORT_PRODUCT = 4, /* factors of a polynomial of one summand */
};

/* Sums up to this length are put together on the stack. */
enum { FEW_SUMMANDS = 16 };

/* ---- Section: Looking at sums ---- */

size_t smt_n_monos(smt_t term)
{
    return term->kind == SMT_SUM ? term->n_args : term->kind == SMT_INT ? 0 : 1;
}

smt_mono smt_mono_at(smt_t term, size_t i)
{
    if (term->kind == SMT_SUM)
        return (smt_mono){term->args[i], term->coefs[i]};
    return (smt_mono){term, 1};
}

smt_int smt_constant_part(smt_t term)
{
    return term->kind == SMT_SUM || term->kind == SMT_INT ? term->value : 0;
}

/* ---- Section: Sums ---- */

static void add_mono(smt_poly *poly, smt_t term, smt_int coef)
{
    if (coef != 0)
        arrput(poly->items, ((smt_mono){term, coef}));
}

void smt_poly_add_value(smt_poly *poly, smt_int value)
{
    if (!smt_safe_add(poly->value, value, &poly->value)) {
        poly->too_big = true;
        poly->value = 0;
    }
}

void smt_poly_add(smt_poly *poly, smt_t term, smt_int factor)
{
    smt_int product;
    if (!smt_safe_mul(smt_constant_part(term), factor, &product))
        poly->too_big = true;
    else
        smt_poly_add_value(poly, product);
    for (size_t i = 0; i < smt_n_monos(term); i++) {
        smt_mono mono = smt_mono_at(term, i);
        if (!smt_safe_mul(mono.coef, factor, &product))
            poly->too_big = true;
        else
            add_mono(poly, mono.term, product);
    }
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = ((const smt_mono *)a)->term->id, y = ((const smt_mono *)b)->term->id;
    return (x > y) - (x < y);
}

/* Returns whether the summands are in order, each with a term of its own. */
static bool is_settled(const smt_poly *poly)
{
    for (size_t i = 1; i < arrlenu(poly->items); i++) {
        if (poly->items[i - 1].term->id >= poly->items[i].term->id)
            return false;
    }
    return true;
}

/* Sorts a short sum by insertion: most sums are short, and made of sums that are in order. */
static void sort_by_id(smt_mono *items, size_t n)
{
    enum { FEW = 24 };
    if (n > FEW) {
        qsort(items, n, sizeof *items, by_id);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        smt_mono mono = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1].term->id > mono.term->id; at--)
            items[at] = items[at - 1];
        items[at] = mono;
    }
}

void smt_poly_settle(smt_poly *poly)
{
    size_t n = arrlenu(poly->items), kept = 0;
    if (is_settled(poly))
        return;
    sort_by_id(poly->items, n);
    for (size_t i = 0; i < n;) {
        smt_mono sum = poly->items[i++];
        while (i < n && poly->items[i].term == sum.term) {
            if (!smt_safe_add(sum.coef, poly->items[i++].coef, &sum.coef)) {
                poly->too_big = true;
                sum.coef = 1;
            }
        }
        if (sum.coef != 0)
            poly->items[kept++] = sum;
    }
    arrsetlen(poly->items, kept);
}

void smt_poly_free(smt_poly *poly)
{
    arrfree(poly->items);
}

static smt_t make_sum(smt_ctx *ctx, const smt_poly *poly)
{
    size_t n = arrlenu(poly->items);
    if (n == 0)
        return smt_int_const(ctx, poly->value);
    if (n == 1 && poly->value == 0 && poly->items[0].coef == 1)
        return poly->items[0].term;
    smt_t few_args[FEW_SUMMANDS];
    smt_int few_coefs[FEW_SUMMANDS];
    bool is_short = n <= FEW_SUMMANDS;
    smt_t *args = is_short ? few_args : calloc(n, sizeof(smt_t));
    smt_int *coefs = is_short ? few_coefs : calloc(n, sizeof(smt_int));
    if (!args || !coefs)
        tr_no_memory();
    smt_range range = {poly->value, poly->value};
    for (size_t i = 0; i < n; i++) {
        args[i] = poly->items[i].term;
        coefs[i] = poly->items[i].coef;
        range = smt_range_add(range, smt_range_scale(smt_range_of(args[i]), coefs[i]));
    }
    smt_t sum = smt_intern(ctx, &(struct smt_term){.kind = SMT_SUM,
                                                   .n_args = (uint32_t)n,
                                                   .args = args,
                                                   .coefs = coefs,
                                                   .value = poly->value,
                                                   .low = range.low,
                                                   .high = range.high});
    if (!is_short) {
        free(args);
        free(coefs);
    }
    return sum;
}

/* ---- Section: Names ---- */

static smt_t named(smt_ctx *ctx, smt_t polynomial)
{
    return smt_intern(ctx, &(struct smt_term){.kind = SMT_NAMED,
                                              .n_args = 1,
                                              .args = &polynomial,
                                              .low = polynomial->low,
                                              .high = polynomial->high});
}

smt_t smt_name(smt_ctx *ctx, smt_t polynomial)
{
    bool nameless = polynomial->kind != SMT_SUM && polynomial->kind != SMT_PROD;
    return nameless ? polynomial : named(ctx, polynomial);
}

smt_t smt_rename_polynomial(smt_ctx *ctx, smt_t polynomial)
{
    bool is_short = polynomial->kind == SMT_SUM    ? polynomial->n_args <= SHORT_SUM
                    : polynomial->kind == SMT_PROD ? polynomial->n_args <= SHORT_PRODUCT
                                                   : true;
    return is_short ? polynomial : named(ctx, polynomial);
}

/* Replaces the oldest summands of a settled sum that is too long by one name. Thus a sum that grows
 * by a summand with each operation stays short. */
static void shorten(smt_ctx *ctx, smt_poly *poly)
{
    size_t n = arrlenu(poly->items);
    smt_poly oldest = {0};
    if (n <= MAX_SUMMANDS)
        return;
    for (size_t i = 0; i < MAX_SUMMANDS; i++)
        arrput(oldest.items, poly->items[i]);
    arrdeln(poly->items, 0, MAX_SUMMANDS);
    arrput(poly->items, ((smt_mono){named(ctx, make_sum(ctx, &oldest)), 1}));
    smt_poly_free(&oldest);
    smt_poly_settle(poly);
}

smt_t smt_poly_make(smt_ctx *ctx, smt_poly *poly)
{
    smt_tick(ctx, arrlenu(poly->items));
    smt_poly_settle(poly);
    smt_t result = NULL;
    while (arrlenu(poly->items) > MAX_SUMMANDS)
        shorten(ctx, poly);
    if (poly->too_big)
        result = smt_opaque(ctx);
    if (!result)
        result = smt_fold_remainders(ctx, poly);
    if (!result)
        result = make_sum(ctx, poly);
    smt_poly_free(poly);
    return result;
}

smt_t smt_add(smt_ctx *ctx, smt_t a, smt_t b)
{
    TR_ASSERT(!smt_is_bool(a) && !smt_is_bool(b));
    smt_poly poly = {0};
    smt_poly_add(&poly, a, 1);
    smt_poly_add(&poly, b, 1);
    return smt_poly_make(ctx, &poly);
}

smt_t smt_sub(smt_ctx *ctx, smt_t a, smt_t b)
{
    smt_poly poly = {0};
    smt_poly_add(&poly, a, 1);
    smt_poly_add(&poly, b, -1);
    return smt_poly_make(ctx, &poly);
}

smt_t smt_scale(smt_ctx *ctx, smt_t a, smt_int factor)
{
    TR_ASSERT(!smt_is_bool(a));
    if (factor == 1)
        return a;
    smt_poly poly = {0};
    if (!smt_fits(factor))
        poly.too_big = true;
    else if (factor != 0)
        smt_poly_add(&poly, a, factor);
    return smt_poly_make(ctx, &poly);
}

smt_t smt_neg(smt_ctx *ctx, smt_t a)
{
    return smt_scale(ctx, a, -1);
}

/* ---- Section: Products ---- */

static size_t n_factors(smt_t mono)
{
    return mono->kind == SMT_PROD ? mono->n_args : 1;
}

static smt_t factor_at(const smt_t *mono, size_t i)
{
    return (*mono)->kind == SMT_PROD ? (*mono)->args[i] : *mono;
}

static smt_range product_range(size_t n, const smt_t *factors)
{
    smt_range range = {1, 1};
    for (size_t i = 0; i < n;) {
        size_t same = i;
        while (same < n && factors[same] == factors[i])
            same++;
        range =
            smt_range_mul(range, smt_range_power(smt_range_of(factors[i]), (unsigned)(same - i)));
        i = same;
    }
    return range;
}

/* Returns the product of factors that are in the order of their ids. */
static smt_t make_product(smt_ctx *ctx, size_t n, const smt_t *factors)
{
    if (n == 1)
        return factors[0];
    smt_range range = product_range(n, factors);
    return smt_intern(ctx, &(struct smt_term){.kind = SMT_PROD,
                                              .n_args = (uint32_t)n,
                                              .args = factors,
                                              .low = range.low,
                                              .high = range.high});
}

smt_t smt_mono_mul(smt_ctx *ctx, smt_t a, smt_t b)
{
    if (n_factors(a) + n_factors(b) > MAX_DEGREE) {
        /* The rule does not depend on which comes first: a*b is b*a. */
        a = smt_rename_polynomial(ctx, a);
        b = smt_rename_polynomial(ctx, b);
    }
    size_t n_a = n_factors(a), n_b = n_factors(b), n = 0;
    smt_t factors[MAX_DEGREE];
    TR_ASSERT(n_a + n_b <= MAX_DEGREE);
    for (size_t i = 0, k = 0; i < n_a || k < n_b;) {
        if (k == n_b || (i < n_a && factor_at(&a, i)->id <= factor_at(&b, k)->id))
            factors[n++] = factor_at(&a, i++);
        else
            factors[n++] = factor_at(&b, k++);
    }
    return make_product(ctx, n, factors);
}

smt_t smt_mono_divide(smt_ctx *ctx, smt_t mono, smt_t divisor)
{
    size_t n = n_factors(mono), n_gone = n_factors(divisor), kept = 0, gone = 0;
    if (n_gone > n)
        return NULL;
    smt_t rest[MAX_DEGREE];
    TR_ASSERT(n <= MAX_DEGREE);
    for (size_t i = 0; i < n; i++) {
        smt_t factor = factor_at(&mono, i);
        if (gone < n_gone && factor_at(&divisor, gone) == factor)
            gone++;
        else
            rest[kept++] = factor;
    }
    if (gone < n_gone)
        return NULL;
    return kept == 0 ? smt_int_const(ctx, 1) : make_product(ctx, kept, rest);
}

/* Adds the products of the summands of a and b, their constants left out. */
static void add_product(smt_ctx *ctx, smt_poly *poly, smt_t a, smt_t b)
{
    size_t n_a = smt_n_monos(a), n_b = smt_n_monos(b);
    for (size_t i = 0; i < n_a; i++) {
        smt_mono x = smt_mono_at(a, i);
        for (size_t k = 0; k < n_b; k++) {
            smt_mono y = smt_mono_at(b, k);
            smt_int coef;
            if (!smt_safe_mul(x.coef, y.coef, &coef))
                poly->too_big = true;
            else
                add_mono(poly, smt_mono_mul(ctx, x.term, y.term), coef);
        }
    }
}

/* Returns the term less its constant. */
static smt_t without_constant(smt_ctx *ctx, smt_t term)
{
    if (smt_constant_part(term) == 0)
        return term;
    return smt_sub(ctx, term, smt_int_const(ctx, smt_constant_part(term)));
}

/* Multiplies out, so that equal products become one term. For a = A + c and b = B + d, where c and
 * d are the constants, the result is A*B + d*A + c*b. */
smt_t smt_mul(smt_ctx *ctx, smt_t a, smt_t b)
{
    TR_ASSERT(!smt_is_bool(a) && !smt_is_bool(b));
    if (a->kind == SMT_INT)
        return smt_scale(ctx, b, a->value);
    if (b->kind == SMT_INT)
        return smt_scale(ctx, a, b->value);
    if (smt_n_monos(a) * smt_n_monos(b) > MAX_MULTIPLIED_OUT)
        return smt_mono_mul(ctx, smt_name(ctx, a), smt_name(ctx, b));
    smt_int c = smt_constant_part(a), d = smt_constant_part(b);
    smt_poly product = {0};
    add_product(ctx, &product, a, b);
    if (d != 0)
        smt_poly_add(&product, without_constant(ctx, a), d);
    if (c != 0)
        smt_poly_add(&product, b, c);
    return smt_poly_make(ctx, &product);
}

/* Polynomials, of which sums and products are made. */
#ifndef SMT_TERMS_POLY_H
#define SMT_TERMS_POLY_H

#include "terms/term.h"

/* One summand: coef * term; term is no SUM and no INT. */
typedef struct smt_mono {
    smt_t term;
    smt_int coef;
} smt_mono;

/* A sum while it is being made; not sorted, summands may repeat until smt_poly_settle. */
typedef struct smt_poly {
    smt_mono *items; /* stb_ds array */
    smt_int value;
    bool too_big; /* a coefficient or the constant does not fit 126 bits: the sum is unknown */
} smt_poly;

/* Adds factor * term. */
void smt_poly_add(smt_poly *poly, smt_t term, smt_int factor);
void smt_poly_add_value(smt_poly *poly, smt_int value);
/* Sorts the summands by the ids of their terms, merges equal terms, drops zero coefficients. */
void smt_poly_settle(smt_poly *poly);
void smt_poly_free(smt_poly *poly);
/* Returns the sum as a term, and frees the memory of `poly`. */
smt_t smt_poly_make(smt_ctx *ctx, smt_poly *poly);
size_t smt_n_monos(smt_t term); /* summands of an integer term, the constant not counted */
smt_mono smt_mono_at(smt_t term, size_t i); /* i-th summand */
smt_int smt_constant_part(smt_t term);
/* The polynomial as one factor or summand of another: named where it is a sum or a product. Shown
 * for tests. */
smt_t smt_name(smt_ctx *ctx, smt_t polynomial);
/* Like smt_name(), after its parts have changed: where it has become short it needs no name. */
smt_t smt_rename_polynomial(smt_ctx *ctx, smt_t polynomial);
/* Product of two non-sums without coefficient. */
smt_t smt_mono_mul(smt_ctx *ctx, smt_t a, smt_t b);
/* Returns the product of the factors of `mono` that are left without those of `divisor` (no sum):
 * the constant 1 if none is left; NULL if `divisor` has a factor that `mono` does not have. */
smt_t smt_mono_divide(smt_ctx *ctx, smt_t mono, smt_t divisor);

#endif

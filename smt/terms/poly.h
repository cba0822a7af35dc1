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
    bool too_big; /* something left 126 bits: the whole is unknown */
} smt_poly;

void smt_poly_add(smt_poly *poly, smt_t term, smt_int factor); /* + factor * term */
void smt_poly_add_value(smt_poly *poly, smt_int value);
void smt_poly_settle(smt_poly *poly); /* sorted, merged, no zero coefficients */
void smt_poly_free(smt_poly *poly);
/* The term; frees the polynomial's memory. */
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
/* Returns the other factors of `mono` if `factor` (no sum, no product) is one of them, the constant
 * 1 if it is the only one; NULL if it is none. */
smt_t smt_mono_divide(smt_ctx *ctx, smt_t mono, smt_t factor);
/* Like smt_mono_divide(), for a product of factors. */
smt_t smt_mono_divide_all(smt_ctx *ctx, smt_t mono, smt_t factors);

#endif

/* Division with a rest. */
#ifndef SMT_TERMS_DIVIDE_H
#define SMT_TERMS_DIVIDE_H

#include "terms/poly.h"

/* The factor in m = b * factor, where it is known positive; NULL: there is none. */
smt_t smt_positive_factor(smt_ctx *ctx, smt_t m, smt_t b);
/* term = g * multiple + rest, rest being all summands that g does not divide. */
void smt_split_factor(smt_ctx *ctx, smt_t term, smt_mono g, smt_t *multiple, smt_t *rest);
/* x - d*(x div d) is x mod d, and d*(x div d) + x mod d is x: what that makes of a settled sum,
 * or NULL when it changes nothing. */
smt_t smt_fold_remainders(smt_ctx *ctx, const smt_poly *sum);

#endif

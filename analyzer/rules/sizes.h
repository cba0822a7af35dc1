/* Parameters that are sizes by what the kernel makes of them. */
#ifndef RULES_SIZES_H
#define RULES_SIZES_H

#include "question/checker.h"

/* Returns the contract with the least values that the kernel's own use of its parameters implies
 * where nobody states any; NULL: it implies none. */
tr_give contract *sizes_find(checker *k);
/* Is the divisor, or the step, meant to be positive: where all parameters are, is it never negative
 * in the first block and iteration, and does it change from one to the next by 1 at most? `n` and
 * `(n + 63) / 64` are; `n - grid.x` and `n - 5` are divisors of either sign, of which only 0 is
 * undefined. */
bool sizes_is_divisor(checker *k, const ix_hazard *h);
/* Is there a launch whose first tile block does nothing undefined in its first iterations? Any
 * other launch is undefined whatever its other blocks do. */
bool sizes_first_block_is_defined(checker *k);
/* Requires what k->contract says of parameters beyond the stated one. */
void sizes_require(checker *k, const contract *stated);
/* The facts that were asked of the signs of divisors, over the parameters as they were stated:
 * stb_ds array. To be called before sizes_finish. */
smt_t *sizes_signs(checker *k, const contract *stated);
/* The fact of a precondition that asks for the sign of a divisor; NULL: the precondition asks for
 * something else. */
smt_t sizes_sign_of(checker *k, const contract *stated, const precondition *what);
/* The precondition's term, over the parameters as they were stated. */
smt_t sizes_fact_of(checker *k, const contract *stated, const precondition *what);
/* The stated contract with everything else that the verdict asks for so that nothing races; the
 * caller frees its `facts` (contract_free). */
contract *sizes_contract(checker *k, const contract *stated);
/* Drops the requires on sizes that the other requires imply. To be called before require_finish. */
void sizes_finish(checker *k, const contract *stated);

#endif

/* Parameters that are sizes by what the kernel makes of them. */
#ifndef RULES_SIZES_H
#define RULES_SIZES_H

#include "question/checker.h"

/* The contract, with what the kernel's own use of its parameters says of their least values where
 * nobody states anything; NULL when that is nothing. */
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
/* Facts that were asked of the signs of divisors, over the parameters as they were stated: stb_ds
 * array. Before sizes_finish. */
smt_t *sizes_signs(checker *k, const contract *stated);
/* The fact of a precondition that asks for the sign of a divisor; NULL: it does not. */
smt_t sizes_sign_of(checker *k, const contract *stated, const precondition *what);
/* The precondition's term, over the parameters as they were stated. */
smt_t sizes_fact_of(checker *k, const contract *stated, const precondition *what);
/* The stated contract with what the verdict asks beside that so that nothing races; its `facts` are
 * the caller's to free (contract_free). */
contract *sizes_contract(checker *k, const contract *stated);
/* Drops those that the other requires imply; before require_finish. */
void sizes_finish(checker *k, const contract *stated);

#endif

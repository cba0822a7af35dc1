/* Turns a condition on one block's numbers into one on the launch. */
#ifndef PRECONDITION_LIFT_H
#define PRECONDITION_LIFT_H

#include "question/checker.h"

/* Guesses a condition on the launch alone under which `safe` (a condition of one event) holds in
 * every block and iteration that `when` (path and facts) lets through; NULL when there is no such
 * form. The caller has to prove that it is enough. */
smt_t require_lift(checker *k, smt_t safe, smt_t when);
/* Guesses the greatest value of the term in all blocks and iterations that `when` lets through,
 * over the launch alone; NULL: there is no such form. The caller has to prove it. */
smt_t require_greatest(checker *k, smt_t term, smt_t when);
/* Greatest value of a variable of the block's own, over the launch alone; NULL when it has none. */
smt_t require_upper_end(checker *k, smt_t variable);
/* Returns whole / divisor as a term where their shape shows that nothing is left over; else NULL.
 */
smt_t require_exact_quotient(smt_ctx *ctx, smt_t whole, smt_t divisor);

#endif

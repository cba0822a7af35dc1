/* Turns a condition on one block's numbers into one on the launch. */
#ifndef PRECONDITION_LIFT_H
#define PRECONDITION_LIFT_H

#include "question/checker.h"

/* A condition on the launch alone under which `safe` (a condition of one event) holds in every
 * block and iteration that `when` (path and facts) lets through; NULL when it has no such form. A
 * guess: that it is enough is for the caller to prove. */
smt_t require_lift(checker *k, smt_t safe, smt_t when);
/* Greatest value of the term in every block and iteration that `when` lets through, over the launch
 * alone; NULL: it has no such form. A guess, as require_lift. */
smt_t require_greatest(checker *k, smt_t term, smt_t when);
/* Greatest value of a variable of the block's own, over the launch alone; NULL when it has none. */
smt_t require_upper_end(checker *k, smt_t variable);
/* whole / divisor as a term where nothing is left over, by their shape; else NULL. */
smt_t require_exact_quotient(smt_ctx *ctx, smt_t whole, smt_t divisor);

#endif

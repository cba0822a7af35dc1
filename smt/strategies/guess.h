/* Plain assignments. */
#ifndef SMT_STRATEGIES_GUESS_H
#define SMT_STRATEGIES_GUESS_H

#include "terms/term.h"

/* Returns which of two events a variable belongs to: 1 or 2; 0: of both. A copy of another number
 * counts as of the first. */
int smt_side_of(smt_t variable);

#endif

/* Finds what to change in an assignment. */
#ifndef SMT_STRATEGIES_MOVES_H
#define SMT_STRATEGIES_MOVES_H

#include "strategies/assignment.h"

/* Fills r->changes with changes of single leaves that would make the boolean at that place true, or
 * bring it nearer to that. */
void repair_propose(repair *r, uint32_t place);

#endif

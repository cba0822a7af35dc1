/* Comparisons as a linear program. */
#ifndef SMT_GOAL_LINEAR_PROGRAM_H
#define SMT_GOAL_LINEAR_PROGRAM_H

#include "goal/goal.h"

/* Do the comparisons among the facts contradict each other, as a linear program?
 * If not, *fractional (may be NULL) is a variable that the solution has between *below and the next
 * whole number, or NULL. */
bool smt_goal_is_infeasible(smt_ctx *ctx, const smt_goal *goal, smt_t *fractional, smt_int *below);

#endif

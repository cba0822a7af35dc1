/* Equations in a symbolic radix. */
#ifndef SMT_GOAL_RADIX_H
#define SMT_GOAL_RADIX_H

#include "goal/goal.h"

/* Equations taken apart by symbolic factors. */
bool smt_goal_split_radix(smt_ctx *ctx, smt_goal *goal, smt_effort effort);

#endif

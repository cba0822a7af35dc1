/* Ranges of variables as the facts give them. */
#ifndef SMT_GOAL_RANGES_H
#define SMT_GOAL_RANGES_H

#include "goal/goal.h"

/* Gives variables the ranges that the facts leave them. Did that change anything? */
bool smt_goal_tighten(smt_ctx *ctx, smt_goal *goal);

#endif

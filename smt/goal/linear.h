/* Bounds from sums of facts. */
#ifndef SMT_GOAL_LINEAR_H
#define SMT_GOAL_LINEAR_H

#include "goal/goal.h"

/* Do the facts show that sum <= 0? Sums of a few facts are tried; false: not seen. */
bool smt_goal_shows(smt_ctx *ctx, smt_goal *goal, smt_t sum, smt_effort effort);
/* Adds products of facts that decide others. Did that change anything? */
bool smt_goal_use_products(smt_ctx *ctx, smt_goal *goal);

#endif

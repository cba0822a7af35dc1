/* Equations, taken apart and solved. */
#ifndef SMT_GOAL_EQUATIONS_H
#define SMT_GOAL_EQUATIONS_H

#include "goal/goal.h"

/* Each says whether it changed anything. */
bool smt_goal_split_equations(smt_ctx *ctx, smt_goal *goal);
bool smt_goal_split_bounds(smt_ctx *ctx, smt_goal *goal);
bool smt_goal_eliminate(smt_ctx *ctx, smt_goal *goal, smt_elimination elimination);

#endif

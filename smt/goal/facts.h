/* Facts, used inside others. */
#ifndef SMT_GOAL_FACTS_H
#define SMT_GOAL_FACTS_H

#include "goal/goal.h"

/* Uses known facts inside others. Did that change anything? */
bool smt_goal_use_facts(smt_ctx *ctx, smt_goal *goal);

#endif

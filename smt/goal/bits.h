/* Laws of bit operations. */
#ifndef SMT_GOAL_BITS_H
#define SMT_GOAL_BITS_H

#include "goal/goal.h"

/* Adds what is known of the bit operations in it. */
void smt_goal_add_bits(smt_ctx *ctx, smt_goal *goal);

#endif

/* Equations between bit patterns. */
#ifndef SMT_GOAL_GF2_H
#define SMT_GOAL_GF2_H

#include "goal/goal.h"

bool smt_goal_has_bits(const smt_goal *goal); /* applications that smt_bits made occur in it */
/* Adds what equations between bit patterns imply. */
bool smt_goal_solve_bits(smt_ctx *ctx, smt_goal *goal);
/* Hands assignments that solve those equations to `take`, which says whether that is all; variables
 * by rising ids. True when one was taken. The rest of the goal need not hold of them. */
typedef bool (*smt_bit_solution_taker)(void *user, size_t n, const smt_t *variables,
                                       const smt_int *values);
bool smt_goal_bit_solutions(smt_ctx *ctx, const smt_goal *goal, smt_bit_solution_taker take,
                            void *user);

#endif

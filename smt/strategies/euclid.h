/* Division by its definition. */
#ifndef SMT_STRATEGIES_EUCLID_H
#define SMT_STRATEGIES_EUCLID_H

#include "goal/goal.h"
#include "solver/task.h"

/* Quotients and remainders become variables, with what defines them; the solver is not asked. What
 * a sum of divisors' signs needs and facts do not show stays open. */
void smt_goal_remove_divisions(smt_task *task, smt_goal *goal, smt_steps until);

#endif

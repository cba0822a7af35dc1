/* The strategies. */
#ifndef SMT_STRATEGIES_STRATEGY_H
#define SMT_STRATEGIES_STRATEGY_H

#include "goal/goal.h"
#include "solver/task.h"

/* A strategy says more of the goal than the solver alone sees. True: task->answer is UNSAT, or SAT
 * with a checked model. False: nothing was found out (the reason why is kept in the answer). It
 * works on a copy when it changes the goal for the worse. until: at which count of steps it should
 * give up. */
typedef bool (*smt_strategy_run)(smt_task *task, smt_goal *goal, smt_steps until);

/* Each in its file. */
bool smt_try_guess(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_bits(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_enumerate(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_repair(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_digits(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_cases(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_small(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_abstraction(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_euclid(smt_task *task, smt_goal *goal, smt_steps until);
bool smt_try_split(smt_task *task, smt_goal *goal, smt_steps until);

#endif

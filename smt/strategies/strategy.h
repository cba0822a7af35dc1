/* The strategies. */
#ifndef SMT_STRATEGIES_STRATEGY_H
#define SMT_STRATEGIES_STRATEGY_H

#include "goal/goal.h"
#include "solver/task.h"

/* A strategy tries to decide the goal. It returns true if it did, by smt_decided() of solver/ask.h:
 * UNSAT, which it must have proved, or SAT with a model that satisfies task->original. If it
 * returns false, the next strategy gets the goal, which must have the same solutions as before: a
 * strategy that changes them works on a copy. It counts its work (smt_tick) and gives up when
 * smt_left(task, until) is 0. A weakened goal has more solutions than the question, so it gives no
 * model.
 *
 * ARCHITECTURE.md lists what a new strategy needs (strategies/places). */
typedef bool (*smt_strategy_run)(smt_task *task, smt_goal *goal, smt_steps until);

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

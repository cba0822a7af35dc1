/* Asks the solver about a task and decides it, for the strategies. */
#ifndef SMT_SOLVER_ASK_H
#define SMT_SOLVER_ASK_H

#include "goal/goal.h"
#include "solver/answer.h"
#include "solver/task.h"
#include "terms/node.h"

enum {
    SMT_MOST_FAILURES = 2, /* of the solver in one task: then it is given up */
    SMT_NON_LINEAR = SMT_HAS_SYMBOLIC | SMT_HAS_PRODUCT, /* what the solver alone is weak at */
};

bool smt_decided(smt_task *task, smt_verdict verdict, smt_model *model, const char *strategy);
/* Steps until then, 0 when it is past. */
smt_steps smt_left(const smt_task *task, smt_steps until);
/* Asks the solver for the goal, at most so many steps. True when that decides the task: UNSAT, or
 * SAT with a model that satisfies the original. A weakened goal decides by UNSAT only. */
bool smt_ask(smt_task *task, const smt_goal *goal, smt_steps steps, const char *strategy);
/* Is `term` implied by the goal's facts that have no divisions, or by its range? */
bool smt_implied(smt_task *task, const smt_goal *goal, smt_t term, smt_steps steps);

#endif

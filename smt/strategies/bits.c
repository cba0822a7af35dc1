/* Answers SAT where two bit patterns meet: solutions of the equations between them are tried as
 * models. */
#include "goal/gf2.h"
#include "goal/goal.h"
#include "solver/answer.h"
#include "solver/ask.h"
#include "solver/model.h"
#include "solver/task.h"
#include "strategies/strategy.h"
#include "terms/node.h"

typedef struct attempt {
    smt_task *task;
    const smt_goal *goal;
    smt_steps until;
} attempt;

/* True ends the search: a model was found, or the steps are used up. */
static bool try_solution(void *user, size_t n, const smt_t *variables, const smt_int *values)
{
    attempt *a = user;
    smt_task *task = a->task;
    smt_take_steps(task->ctx, n);
    if (smt_left(task, a->until) == 0)
        return true;
    smt_model *model =
        smt_model_make(task->ctx, task->prover->arena, n, variables, values, a->goal);
    return model && smt_model_satisfies(model, task->n_original, task->original) &&
           smt_decided(task, SMT_SAT, model, "bits");
}

bool smt_try_bits(smt_task *task, smt_goal *goal, smt_steps until)
{
    attempt a = {task, goal, until};
    if (goal->weakened)
        return false;
    smt_goal_bit_solutions(task->ctx, goal, try_solution, &a);
    return task->answer.verdict == SMT_SAT;
}

/* The solver, asked for a goal on behalf of a task. */
#include "solver/ask.h"

#include "goal/goal.h"
#include "solver/answer.h"
#include "solver/confirm.h"
#include "solver/model.h"
#include "solver/process.h"
#include "solver/task.h"
#include "terms/node.h"
#include "terms/print_smtlib.h"
#include "terms/walk.h"

#include "base/ds.h"

smt_steps smt_left(const smt_task *task, smt_steps until)
{
    return smt_steps_left(task->ctx, until);
}

bool smt_decided(smt_task *task, smt_verdict verdict, smt_model *model, const char *strategy)
{
    task->answer = (smt_answer){.verdict = verdict, .model = model, .strategy = strategy};
    return true;
}

/* The kinds stand in the order of what they say: a failure says more than a solver that hangs, and
 * that more than that steps were not enough. */
static void note_unknown(smt_task *task, smt_unknown_kind why, const char *text)
{
    if (task->answer.why > why)
        return;
    task->answer.why = why;
    task->answer.why_text = text;
}

/* Facts that no divisor is 0: SMT-LIB gives x div 0 any value, an evaluation gives it none. */
static void add_divisors(smt_ctx *ctx, smt_goal *goal)
{
    smt_order order;
    smt_order_make(&order, arrlenu(goal->facts), goal->facts);
    for (size_t i = 0; i < smt_order_count(&order); i++) {
        smt_t term = order.terms[i];
        if (term->kind == SMT_DIV || term->kind == SMT_MOD)
            smt_goal_add(goal, smt_ne(ctx, term->args[1], smt_int_const(ctx, 0)));
    }
    smt_order_free(&order);
}

static bool take_model(smt_task *task, const smt_goal *goal, const smt_script *script,
                       const smt_int *values, const char *strategy)
{
    smt_model *model = smt_model_make(task->ctx, task->prover->arena, arrlenu(script->wanted),
                                      script->wanted, values, goal);
    if (!model || !smt_model_satisfies(model, task->n_original, task->original))
        return false;
    smt_decided(task, SMT_SAT, model, strategy);
    return task->answer.by_solver = true;
}

static bool ask_once(smt_task *task, const smt_goal *goal, smt_steps steps, bool far_bounds,
                     const char *strategy, bool *bad_model)
{
    smt_script script = {0};
    *bad_model = false;
    if (task->failures >= SMT_MOST_FAILURES)
        return false;
    smt_reply reply = smt_put(task, arrlenu(goal->facts), goal->facts, steps, far_bounds, &script);
    bool decided = false;
    if (reply.verdict == SMT_UNSAT) {
        decided = smt_decided(task, SMT_UNSAT, NULL, strategy);
    } else if (reply.verdict == SMT_UNKNOWN) {
        note_unknown(task, reply.why, reply.text);
        task->failures += reply.why >= SMT_WHY_TIMEOUT;
    } else {
        decided = take_model(task, goal, &script, reply.values, strategy);
        *bad_model = !decided;
    }
    smt_script_free(&script);
    return decided;
}

/* A model in which no divisor is 0. That there is none says nothing. */
static bool ask_for_defined(smt_task *task, const smt_goal *goal, smt_steps steps,
                            const char *strategy)
{
    smt_goal stricter;
    bool bad_model;
    smt_answer before = task->answer;
    smt_goal_copy(&stricter, goal);
    stricter.weakened = true;
    add_divisors(task->ctx, &stricter);
    bool decided = !stricter.is_false && steps > 0 &&
                   ask_once(task, &stricter, steps, true, strategy, &bad_model) &&
                   task->answer.verdict == SMT_SAT;
    if (!decided)
        task->answer = before;
    smt_goal_free(&stricter);
    return decided;
}

bool smt_ask(smt_task *task, const smt_goal *goal, smt_steps steps, const char *strategy)
{
    if (goal->is_false)
        return smt_decided(task, SMT_UNSAT, NULL, strategy);
    smt_steps until = smt_steps_taken(task->ctx) + steps;
    bool bad_model, non_linear = (smt_goal_flags(goal) & SMT_NON_LINEAR) != 0;
    if (non_linear && smt_script_has_far_bounds(arrlenu(goal->facts), goal->facts)) {
        if (ask_once(task, goal, steps - steps / 3, false, strategy, &bad_model))
            return true;
        steps = smt_left(task, until);
        if (steps == 0)
            return false;
    }
    if (ask_once(task, goal, steps, true, strategy, &bad_model))
        return true;
    if (!bad_model || goal->weakened)
        return false;
    const char *why = "The solver's model does not satisfy the query.";
    if (smt_goal_flags(goal) & SMT_HAS_SYMBOLIC) {
        if (ask_for_defined(task, goal, smt_left(task, until), strategy))
            return true;
        why = "The solver's model divides by zero.";
    }
    note_unknown(task, SMT_WHY_MODEL, why);
    return false;
}

/* Are these terms together unsatisfiable, as far as so many steps tell? No model is asked for. */
static bool are_refuted(smt_task *task, size_t n, const smt_t *terms, smt_steps steps)
{
    smt_goal goal;
    smt_goal_init(&goal, n, terms);
    smt_goal_simplify(task->ctx, &goal, SMT_ELIMINATE_LINEAR);
    bool refuted = goal.is_false;
    smt_steps left = smt_left(task, task->deadline);
    if (!refuted && arrlenu(goal.facts) > 0 && task->failures < SMT_MOST_FAILURES) {
        smt_script script = {0};
        smt_reply reply =
            smt_put(task, arrlenu(goal.facts), goal.facts, steps < left ? steps : left,
                    !(smt_goal_flags(&goal) & SMT_NON_LINEAR), &script);
        refuted = reply.verdict == SMT_UNSAT;
        if (reply.why >= SMT_WHY_TIMEOUT) {
            note_unknown(task, reply.why, reply.text);
            task->failures++;
        }
        smt_script_free(&script);
    }
    smt_goal_free(&goal);
    return refuted;
}

bool smt_implied(smt_task *task, const smt_goal *goal, smt_t term, smt_steps steps)
{
    if (term->kind == SMT_TRUE || term->kind == SMT_FALSE)
        return term->kind == SMT_TRUE;
    smt_t *facts = NULL;
    for (size_t i = 0; i < arrlenu(goal->facts); i++) {
        if (!smt_has(goal->facts[i], SMT_HAS_DIV))
            arrput(facts, goal->facts[i]);
    }
    arrput(facts, smt_not(task->ctx, term));
    bool implied = are_refuted(task, arrlenu(facts), facts, steps);
    arrfree(facts);
    return implied;
}

/* Answers SAT: the variables that make the goal non-linear get small values, and what is left is
 * easy. That no such model is found says nothing. */
#include "goal/goal.h"
#include "solver/answer.h"
#include "solver/ask.h"
#include "solver/task.h"
#include "strategies/strategy.h"
#include "terms/poly.h"
#include "terms/walk.h"

#include "base/ds.h"

enum { MAX_FIXED = 8, ATTEMPT = 40 * 1000 };

typedef struct weight {
    smt_t key;
    int value;
} weight;

static void count_variables(smt_t term, weight **weights)
{
    smt_order order;
    smt_order_make(&order, 1, &term);
    for (size_t i = 0; i < smt_order_count(&order); i++) {
        if (order.terms[i]->kind != SMT_VAR)
            continue;
        ptrdiff_t at = hmgeti(*weights, order.terms[i]);
        hmput(*weights, order.terms[i], at >= 0 ? (*weights)[at].value + 1 : 1);
    }
    smt_order_free(&order);
}

/* The variable that is in most products, or in a divisor. */
static smt_t most_entangled(const smt_goal *goal)
{
    weight *weights = NULL;
    smt_order order;
    smt_order_make(&order, arrlenu(goal->facts), goal->facts);
    for (size_t i = 0; i < smt_order_count(&order); i++) {
        smt_t term = order.terms[i];
        if (term->kind == SMT_PROD)
            count_variables(term, &weights);
        else if (term->kind == SMT_DIV || term->kind == SMT_MOD)
            count_variables(term->args[1], &weights);
    }
    smt_t best = NULL;
    int most = 0;
    for (ptrdiff_t i = 0; i < hmlen(weights); i++) {
        if (weights[i].value > most) {
            most = weights[i].value;
            best = weights[i].key;
        }
    }
    hmfree(weights);
    smt_order_free(&order);
    return best;
}

static smt_int within(smt_t term, smt_int value)
{
    return value < term->low ? term->low : value > term->high ? term->high : value;
}

/* Variables are fixed one after the other until nothing non-linear is left. */
static bool attempt(smt_task *task, const smt_goal *goal, const int *values, smt_steps until)
{
    smt_ctx *ctx = task->ctx;
    smt_goal own;
    smt_goal_copy(&own, goal);
    for (int i = 0; i < MAX_FIXED && !own.is_false; i++) {
        smt_t variable = most_entangled(&own);
        if (!variable)
            break;
        smt_goal_define(ctx, &own, variable, smt_int_const(ctx, within(variable, values[i % 4])));
        smt_goal_simplify(ctx, &own, SMT_ELIMINATE_LINEAR);
    }
    bool decided = false;
    smt_steps left = smt_left(task, until), most = (smt_steps)ATTEMPT * task->scale;
    if (!own.is_false && left > 0) {
        own.weakened = false;
        smt_unknown_kind why = task->answer.why;
        const char *why_text = task->answer.why_text;
        decided = smt_ask(task, &own, left < most ? left : most, "small values");
        if (!decided || task->answer.verdict != SMT_SAT) { /* of this attempt only */
            task->answer = (smt_answer){.verdict = SMT_UNKNOWN, .why = why, .why_text = why_text};
            decided = false;
        }
    }
    smt_goal_free(&own);
    return decided;
}

bool smt_try_small(smt_task *task, smt_goal *goal, smt_steps until)
{
    static const int tries[][4] = {{2, 2, 2, 2}, {1, 1, 1, 1}, {3, 2, 2, 1},  {2, 3, 1, 2},
                                   {4, 2, 3, 2}, {1, 2, 1, 3}, {8, 2, 4, 2},  {3, 3, 3, 3},
                                   {0, 1, 2, 1}, {1, 0, 1, 2}, {16, 4, 8, 2}, {5, 3, 4, 2}};
    if (goal->weakened)
        return false;
    for (size_t i = 0; i < TR_COUNT(tries) && smt_left(task, until) > 0; i++) {
        if (attempt(task, goal, tries[i], until))
            return true;
    }
    return false;
}

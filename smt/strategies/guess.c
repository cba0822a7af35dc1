/* Answers SAT without the solver: a few plain assignments are tried. Path conditions alone are
 * mostly satisfied by one of them, and what they give is small. */
#include "strategies/guess.h"

#include "goal/goal.h"
#include "solver/answer.h"
#include "solver/ask.h"
#include "solver/model.h"
#include "solver/task.h"
#include "strategies/strategy.h"
#include "terms/eval.h"
#include "terms/node.h"
#include "terms/poly.h"
#include "terms/walk.h"

#include "base/ds.h"

#include <string.h>

enum { MAX_GUESSED_NODES = 3000 };

/* The values that shared variables get, and those of the first and second block copy. */
static const struct guess {
    int shared, first, second;
} guesses[] = {
    {0, 0, 0}, {1, 0, 0}, {2, 0, 1}, {1, 0, 1}, {2, 1, 0},  {2, 1, 1},
    {3, 1, 2}, {4, 0, 0}, {4, 0, 1}, {8, 0, 1}, {64, 0, 1}, {1024, 0, 1},
};

typedef struct guess_user {
    const struct guess *values;
} guess_user;

int smt_side_of(smt_t variable)
{
    unsigned copy = smt_copy_number(variable);
    return copy > 2 ? 1 : (int)copy;
}

static smt_int within(smt_t term, smt_int value)
{
    return value < term->low ? term->low : value > term->high ? term->high : value;
}

static bool lookup_guess(void *user, smt_t term, size_t n_args, const smt_int *args, smt_int *value)
{
    const struct guess *guess = ((const guess_user *)user)->values;
    (void)args;
    if (n_args > 0) { /* as a model says of what it does not mention */
        *value = smt_is_bool(term) ? 0 : within(term, 0);
        return true;
    }
    int copy = smt_side_of(term);
    int number = copy == 2 ? guess->second : copy == 1 ? guess->first : guess->shared;
    *value = smt_is_bool(term) ? number != 0 : within(term, number);
    return true;
}

static bool satisfied(const smt_order *order, size_t n, const smt_t *facts, guess_user *guesser,
                      smt_value *values)
{
    smt_eval_order(order, lookup_guess, guesser, values);
    for (size_t i = 0; i < n; i++) {
        smt_value value = values[smt_order_find(order, facts[i])];
        if (!value.known || value.number == 0)
            return false;
    }
    return true;
}

static smt_model *model_of(smt_task *task, const smt_order *order, const smt_value *values,
                           const smt_goal *goal)
{
    smt_t *terms = NULL;
    smt_int *numbers = NULL;
    for (size_t i = 0; i < smt_order_count(order); i++) {
        smt_kind kind = order->terms[i]->kind;
        if ((kind == SMT_VAR || kind == SMT_BVAR) && values[i].known) {
            arrput(terms, order->terms[i]);
            arrput(numbers, values[i].number);
        }
    }
    smt_model *model =
        smt_model_make(task->ctx, task->prover->arena, arrlenu(terms), terms, numbers, goal);
    arrfree(terms);
    arrfree(numbers);
    return model;
}

bool smt_try_guess(smt_task *task, smt_goal *goal, smt_steps until)
{
    if (goal->weakened)
        return false;
    smt_order order;
    smt_order_make(&order, arrlenu(goal->facts), goal->facts);
    smt_value *values = NULL;
    arrsetlen(values, smt_order_count(&order) + 1);
    bool decided = false;
    bool small = smt_order_count(&order) <= MAX_GUESSED_NODES;
    for (size_t i = 0; i < TR_COUNT(guesses) && small && !decided && smt_left(task, until) > 0;
         i++) {
        guess_user guesser = {&guesses[i]};
        if (!satisfied(&order, arrlenu(goal->facts), goal->facts, &guesser, values))
            continue;
        smt_model *model = model_of(task, &order, values, goal);
        if (model && smt_model_satisfies(model, task->n_original, task->original))
            decided = smt_decided(task, SMT_SAT, model, "guess");
    }
    arrfree(values);
    smt_order_free(&order);
    return decided;
}

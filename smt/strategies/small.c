/* Answers SAT: the variables that make the goal non-linear get small values, and what is left is
 * easy. That no such model is found says nothing. */
#include "goal/goal.h"
#include "solver/answer.h"
#include "solver/ask.h"
#include "solver/task.h"
#include "strategies/strategy.h"
#include "terms/node.h"
#include "terms/walk.h"

#include "base/ds.h"

enum { MAX_FIXED = 8, ATTEMPT = 40 * 1000 };

typedef struct weight {
    smt_t variable;
    uint32_t count; /* products and divisors that it is in */
    uint32_t place; /* of the first of them */
} weight;

enum { AT_ONCE = 64 };

/* Finds which of the variables, one for each bit, each term contains. */
static void find_inside(const smt_order *order, size_t n, const weight *of, uint64_t *inside)
{
    size_t next = 0;
    for (size_t i = 0; i < smt_order_count(order); i++) {
        smt_t term = order->terms[i];
        inside[i] = 0;
        if (next < n && of[next].variable == term)
            inside[i] = (uint64_t)1 << next++;
        for (uint32_t k = 0; k < term->n_args; k++)
            inside[i] |= inside[order->children[order->first[i] + k]];
    }
}

static void count(const smt_order *order, size_t n, weight *of, uint64_t *inside)
{
    find_inside(order, n, of, inside);
    for (size_t i = 0; i < smt_order_count(order); i++) {
        smt_t term = order->terms[i];
        uint64_t met = term->kind == SMT_PROD ? inside[i] : 0;
        if (term->kind == SMT_DIV || term->kind == SMT_MOD)
            met = inside[order->children[order->first[i] + 1]];
        for (size_t v = 0; v < n; v++) {
            if (!(met >> v & 1))
                continue;
            if (of[v].count++ == 0)
                of[v].place = (uint32_t)i;
        }
    }
}

static bool is_heavier(const weight *a, const weight *b)
{
    return a->count > b->count || (a->count == b->count && a->place < b->place);
}

/* The variable that is in most products, or in a divisor; of several the first that is met. */
static smt_t most_entangled(smt_ctx *ctx, const smt_goal *goal)
{
    weight *weights = NULL, best = {0};
    uint64_t *inside = NULL;
    smt_order order;
    smt_order_make(&order, arrlenu(goal->facts), goal->facts);
    arrsetlen(inside, smt_order_count(&order));
    for (size_t i = 0; i < smt_order_count(&order); i++)
        if (order.terms[i]->kind == SMT_VAR)
            arrput(weights, ((weight){.variable = order.terms[i]}));
    size_t n = arrlenu(weights);
    for (size_t from = 0; from < n; from += AT_ONCE) {
        smt_tick(ctx, smt_order_count(&order));
        count(&order, n - from < AT_ONCE ? n - from : AT_ONCE, weights + from, inside);
    }
    for (size_t v = 0; v < n; v++)
        if (is_heavier(&weights[v], &best))
            best = weights[v];
    arrfree(weights);
    arrfree(inside);
    smt_order_free(&order);
    return best.variable;
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
        smt_t variable = most_entangled(ctx, &own);
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

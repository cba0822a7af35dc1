/* Induction variables: numerators such as bid + k*step, one of each block copy.
 *
 * When the facts without divisions prove that the two differ, each becomes a fresh variable, they
 * differ, and what is known of bid and k is left out. The rest of the goal then is the same as for
 * a loop-free kernel. A goal that is refuted without some of its facts is refuted with them. */
#include "goal/goal.h"
#include "solver/answer.h"
#include "solver/ask.h"
#include "solver/task.h"
#include "strategies/strategy.h"
#include "terms/node.h"
#include "terms/poly.h"
#include "terms/walk.h"

#include "base/ds.h"

enum { MAX_PAIRS = 6, SIDE_QUESTION = 100 * 1000 };

static bool has_own_variable(smt_t term, smt_t other)
{
    smt_order order;
    bool found = false;
    smt_order_make(&order, 1, &term);
    for (size_t i = 0; i < smt_order_count(&order) && !found; i++)
        found = order.terms[i]->kind == SMT_VAR && !smt_contains(other, order.terms[i]);
    smt_order_free(&order);
    return found;
}

/* A summand with coefficient 1 or -1 that the other sum has not: a variable, else a term with a
 * variable that the other has not. NULL: none. */
static smt_t own_summand(smt_t sum, smt_t other)
{
    smt_t compound = NULL;
    for (size_t i = 0; i < smt_n_monos(sum); i++) {
        smt_mono mono = smt_mono_at(sum, i);
        if (mono.coef != 1 && mono.coef != -1)
            continue;
        if (mono.term->kind == SMT_VAR && !smt_contains(other, mono.term))
            return mono.term;
        if (has_own_variable(mono.term, other))
            compound = mono.term;
    }
    return compound;
}

static bool is_candidate(smt_t numerator)
{
    return smt_n_monos(numerator) > 1 && !smt_has(numerator, SMT_HAS_DIV);
}

static smt_t *find_numerators(const smt_goal *goal)
{
    smt_t *list = NULL;
    smt_order order;
    smt_order_make(&order, arrlenu(goal->facts), goal->facts);
    for (size_t i = 0; i < smt_order_count(&order); i++) {
        smt_t term = order.terms[i];
        if ((term->kind != SMT_DIV && term->kind != SMT_MOD) || !is_candidate(term->args[0]))
            continue;
        bool known = false;
        for (size_t k = 0; k < arrlenu(list) && !known; k++)
            known = list[k] == term->args[0];
        if (!known)
            arrput(list, term->args[0]);
    }
    smt_order_free(&order);
    return list;
}

/* sum becomes a fresh variable, not below `low`; its own summand is eliminated. */
static smt_t abstract(smt_ctx *ctx, smt_goal *goal, smt_t sum, smt_t own, smt_int low)
{
    smt_t value = smt_fresh(ctx, "iv", low, sum->high);
    smt_int coef = 1;
    for (size_t i = 0; i < smt_n_monos(sum); i++) {
        if (smt_mono_at(sum, i).term == own)
            coef = smt_mono_at(sum, i).coef;
    }
    smt_t rest = smt_sub(ctx, sum, smt_scale(ctx, own, coef));
    smt_t variable = own;
    if (own->kind != SMT_VAR) { /* what it is made of is left out */
        variable = smt_fresh(ctx, "part", own->low, own->high);
        smt_goal_replace(ctx, goal, own, variable);
        goal->weakened = true;
    }
    smt_goal_define(ctx, goal, variable, smt_scale(ctx, smt_sub(ctx, value, rest), coef));
    return value;
}

/* Variables of one sum that are not in the other: the copies' own. */
static void add_private(smt_t **list, smt_t own, smt_t other)
{
    smt_order order;
    smt_order_make(&order, 1, &own);
    for (size_t i = 0; i < smt_order_count(&order); i++) {
        smt_t term = order.terms[i];
        if (term->kind == SMT_VAR && !smt_contains(other, term))
            arrput(*list, term);
    }
    smt_order_free(&order);
}

static void drop_facts(smt_goal *goal, smt_t *variables)
{
    for (size_t i = 0; i < arrlenu(goal->facts);) {
        bool mentions = false;
        for (size_t k = 0; k < arrlenu(variables) && !mentions; k++)
            mentions = smt_contains(goal->facts[i], variables[k]);
        if (mentions)
            arrdel(goal->facts, i);
        else
            i++;
    }
    goal->weakened = true;
}

/* Plainly so, or as far as the solver tells. */
static bool always(smt_task *task, const smt_goal *goal, smt_t fact, smt_steps until)
{
    smt_goal claim;
    smt_goal_init(&claim, 0, NULL);
    for (size_t i = 0; i < arrlenu(goal->facts); i++) {
        if (!smt_has(goal->facts[i], SMT_HAS_DIV))
            smt_goal_add(&claim, goal->facts[i]);
    }
    smt_goal_add(&claim, smt_not(task->ctx, fact));
    bool plain = smt_try_digits(task, &claim, until);
    smt_goal_free(&claim);
    if (plain)
        task->answer = (smt_answer){.verdict = SMT_UNKNOWN};
    return plain || (task->scale > 0 && smt_implied(task, goal, fact, SIDE_QUESTION * task->scale));
}

/* 0 where the facts say so: what they say is left out afterwards. */
static smt_int least(smt_task *task, const smt_goal *goal, smt_t sum, smt_steps until)
{
    smt_int zero = 0;
    smt_t natural = smt_ge(task->ctx, sum, smt_int_const(task->ctx, zero));
    bool shown = sum->low < 0 && always(task, goal, natural, until);
    return shown ? zero : sum->low;
}

static bool abstract_pair(smt_task *task, smt_goal *goal, smt_t x, smt_t y, smt_steps until)
{
    smt_ctx *ctx = task->ctx;
    smt_t differ = smt_ne(ctx, x, y), own_x = own_summand(x, y), own_y = own_summand(y, x);
    if (smt_n_monos(x) != smt_n_monos(y) || !own_x || !own_y || !always(task, goal, differ, until))
        return false;
    smt_t *variables = NULL;
    add_private(&variables, x, y);
    add_private(&variables, y, x);
    smt_int low_x = least(task, goal, x, until), low_y = least(task, goal, y, until);
    smt_t first = abstract(ctx, goal, x, own_x, low_x);
    smt_t second = abstract(ctx, goal, y, own_y, low_y);
    drop_facts(goal, variables);
    smt_goal_add(goal, smt_ne(ctx, first, second));
    arrfree(variables);
    return true;
}

bool smt_try_abstraction(smt_task *task, smt_goal *goal, smt_steps until)
{
    smt_t *numerators = find_numerators(goal);
    smt_goal own;
    smt_goal_copy(&own, goal);
    bool found = false;
    int tried = 0;
    for (size_t i = 0; i < arrlenu(numerators) && !found; i++) {
        for (size_t k = i + 1; k < arrlenu(numerators) && !found; k++) {
            if (tried++ < MAX_PAIRS && smt_left(task, until) > 0)
                found = abstract_pair(task, &own, numerators[i], numerators[k], until);
        }
    }
    arrfree(numerators);
    bool decided = false;
    if (found) {
        smt_goal_simplify(task->ctx, &own, SMT_ELIMINATE_LINEAR);
        if (own.is_false)
            decided = smt_decided(task, SMT_UNSAT, NULL, NULL);
        else if (task->scale == 0)
            decided = smt_try_digits(task, &own, until);
        else
            decided = smt_try_euclid(task, &own, until);
        if (decided)
            task->answer.strategy = "induction variable";
    }
    smt_goal_free(&own);
    return decided;
}

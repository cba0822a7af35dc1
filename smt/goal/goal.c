/* Goals, and the order in which they are simplified. */
#include "goal/goal.h"

#include "goal/equations.h"
#include "goal/facts.h"
#include "goal/gf2.h"
#include "goal/linear.h"
#include "goal/radix.h"
#include "goal/ranges.h"
#include "terms/node.h"
#include "terms/rewrite.h"
#include "terms/walk.h"

#include "base/ds.h"

#include <stdlib.h>

enum { MAX_ROUNDS = 6, MAX_REFUTED_FACTS = 150, MAX_SOLVED = 60, MAX_WORK = 1500 };

void smt_goal_init(smt_goal *goal, size_t n, const smt_t *facts)
{
    *goal = (smt_goal){.work = MAX_WORK};
    for (size_t i = 0; i < n; i++)
        smt_goal_add(goal, facts[i]);
}

void smt_goal_copy(smt_goal *to, const smt_goal *from)
{
    *to = *from;
    to->facts = NULL;
    to->definitions = NULL;
    for (size_t i = 0; i < arrlenu(from->facts); i++)
        arrput(to->facts, from->facts[i]);
    for (size_t i = 0; i < arrlenu(from->definitions); i++)
        arrput(to->definitions, from->definitions[i]);
}

void smt_goal_free(smt_goal *goal)
{
    arrfree(goal->facts);
    arrfree(goal->definitions);
}

/* Long conjunctions are nested in each other, one level for each few hundred parts: each part is a
 * fact. */
static void add_conjunction(smt_goal *goal, smt_t fact)
{
    smt_order order;
    smt_order_make(&order, 1, &fact);
    size_t n = smt_order_count(&order);
    bool *inside = calloc(n, sizeof *inside);
    if (!inside)
        tr_no_memory();
    inside[n - 1] = true;
    for (size_t i = n; i-- > 0;)
        for (uint32_t k = 0;
             inside[i] && order.terms[i]->kind == SMT_AND && k < order.terms[i]->n_args; k++)
            inside[order.children[order.first[i] + k]] = true;
    for (size_t i = 0; i < n; i++)
        if (inside[i] && order.terms[i]->kind != SMT_AND)
            arrput(goal->facts, order.terms[i]);
    free(inside);
    smt_order_free(&order);
}

void smt_goal_add(smt_goal *goal, smt_t fact)
{
    if (fact->kind == SMT_FALSE)
        goal->is_false = true;
    else if (fact->kind == SMT_AND)
        add_conjunction(goal, fact);
    else if (fact->kind != SMT_TRUE)
        arrput(goal->facts, fact);
}

uint32_t smt_goal_flags(const smt_goal *goal)
{
    uint32_t flags = 0;
    for (size_t i = 0; i < arrlenu(goal->facts); i++)
        flags |= smt_node_of(goal->facts[i])->flags;
    return flags;
}

bool smt_goal_is_radix(const smt_goal *goal, smt_t variable)
{
    smt_order order;
    bool found = false;
    smt_order_make(&order, arrlenu(goal->facts), goal->facts);
    for (size_t i = 0; i < smt_order_count(&order) && !found; i++) {
        smt_t term = order.terms[i];
        for (uint32_t k = 0; term->kind == SMT_PROD && k < term->n_args && !found; k++)
            found = term->args[k] == variable;
    }
    smt_order_free(&order);
    return found;
}

void smt_goal_replace_all(smt_ctx *ctx, smt_goal *goal, size_t n, const smt_t *what,
                          const smt_t *by)
{
    smt_t *old = goal->facts;
    goal->facts = NULL;
    smt_replace_in_all(ctx, arrlenu(old), old, old, n, what, by);
    for (size_t i = 0; i < arrlenu(old); i++)
        smt_goal_add(goal, old[i]);
    arrfree(old);
}

void smt_goal_replace(smt_ctx *ctx, smt_goal *goal, smt_t what, smt_t by)
{
    smt_goal_replace_all(ctx, goal, 1, &what, &by);
}

static bool is_told(smt_goal *goal, smt_int bound)
{
    const smt_int far = (smt_int)1 << 20;
    if (bound == SMT_NO_LOW || bound == SMT_NO_HIGH)
        return false;
    if (!goal->no_far_bounds || (bound >= -far && bound <= far))
        return true;
    goal->weakened = true;
    return false;
}

void smt_goal_define(smt_ctx *ctx, smt_goal *goal, smt_t what, smt_t by)
{
    smt_goal_replace(ctx, goal, what, by);
    arrput(goal->definitions, ((smt_definition){what, by}));
    if (is_told(goal, what->low))
        smt_goal_add(goal, smt_ge(ctx, by, smt_int_const(ctx, what->low)));
    if (is_told(goal, what->high))
        smt_goal_add(goal, smt_le(ctx, by, smt_int_const(ctx, what->high)));
}

/* One conjunction of all facts: flattens it, merges comparisons, finds contradictions. */
static void merge(smt_ctx *ctx, smt_goal *goal)
{
    smt_t all = smt_and_n(ctx, arrlenu(goal->facts), goal->facts);
    arrsetlen(goal->facts, 0);
    if (all->kind != SMT_AND) {
        smt_goal_add(goal, all);
        return;
    }
    for (uint32_t i = 0; i < all->n_args; i++)
        smt_goal_add(goal, all->args[i]);
}

static bool eliminate_linear(smt_ctx *ctx, smt_goal *goal)
{
    return smt_goal_eliminate(ctx, goal, SMT_ELIMINATE_LINEAR);
}

static bool eliminate_one(smt_ctx *ctx, smt_goal *goal)
{
    return smt_goal_eliminate(ctx, goal, SMT_ELIMINATE_ONE);
}

void smt_goal_simplify(smt_ctx *ctx, smt_goal *goal, smt_elimination elimination)
{
    bool (*const parts[])(smt_ctx *, smt_goal *) = {
        smt_goal_use_facts,
        smt_goal_solve_bits,
        smt_goal_split_equations,
        smt_goal_split_bounds,
        elimination == SMT_ELIMINATE_ONE ? eliminate_one : eliminate_linear,
        smt_goal_tighten,
        smt_goal_use_products,
    };
    for (int round = 0; round < MAX_ROUNDS && !goal->is_false && !smt_is_over(ctx); round++) {
        bool changed = false;
        merge(ctx, goal);
        for (size_t i = 0; i < TR_COUNT(parts) && !goal->is_false && !smt_is_over(ctx); i++)
            changed |= parts[i](ctx, goal);
        if (!changed)
            break;
        if (!goal->is_false)
            merge(ctx, goal);
    }
}

/* A fact sum <= 0 where the others show sum >= 1. */
static bool contradicts(smt_ctx *ctx, smt_goal *goal, smt_steps until)
{
    for (size_t i = 0; i < arrlenu(goal->facts) && smt_steps_left(ctx, until) > 0; i++) {
        smt_t fact = goal->facts[i], one = smt_int_const(ctx, 1);
        if ((fact->kind == SMT_LE || fact->kind == SMT_EQ) &&
            smt_goal_shows(ctx, goal, smt_sub(ctx, one, fact->args[0]), SMT_QUICKLY))
            return true;
        if (fact->kind == SMT_EQ &&
            smt_goal_shows(ctx, goal, smt_add(ctx, one, fact->args[0]), SMT_QUICKLY))
            return true;
    }
    return false;
}

bool smt_goal_refute(smt_ctx *ctx, smt_goal *goal, smt_steps steps)
{
    smt_steps until = smt_steps_taken(ctx) + steps;
    if (goal->is_false)
        return true;
    if (arrlenu(goal->facts) > MAX_REFUTED_FACTS)
        return false;
    smt_goal solved;
    smt_goal_copy(&solved, goal);
    solved.work = MAX_WORK;
    /* Equations are taken apart before any is used up: one variable at a time. */
    for (int i = 0; i < MAX_SOLVED && !solved.is_false && smt_steps_left(ctx, until) > 0; i++) {
        smt_goal_simplify(ctx, &solved, SMT_ELIMINATE_LINEAR);
        if (!solved.is_false && !smt_goal_split_radix(ctx, &solved, SMT_QUICKLY) &&
            !smt_goal_eliminate(ctx, &solved, SMT_ELIMINATE_ONE))
            break;
    }
    goal->is_false = solved.is_false || contradicts(ctx, &solved, until);
    smt_goal_free(&solved);
    return goal->is_false;
}

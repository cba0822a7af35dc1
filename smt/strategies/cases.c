/* Case split on what the facts leave open: the parts of a disjunction, the two sides of an
 * inequation, the condition of an if-then-else. In each case the facts are simplified with what the
 * case says, and a linear program shows that what is left cannot be. The cases cover everything;
 * the goal is refuted when all are.
 *
 * The solver is not asked, and what may be tried is counted in cases, so that it always ends the
 * same way. */
#include "goal/goal.h"
#include "goal/linear_program.h"
#include "solver/answer.h"
#include "solver/ask.h"
#include "solver/task.h"
#include "strategies/euclid.h"
#include "strategies/strategy.h"
#include "terms/node.h"
#include "terms/poly.h"
#include "terms/walk.h"

#include "base/ds.h"

enum { MIN_CASES = 6, MAX_CASES = 48, MAX_DEPTH = 10, MAX_TERMS = 8000 };

typedef struct search {
    smt_task *task;
    int cases; /* left */
    smt_steps until;
} search;

typedef bool (*refute_how)(search *s, smt_goal *goal, int depth);

static bool refute_with(search *s, const smt_goal *goal, size_t n, const smt_t *facts, int depth,
                        refute_how refute)
{
    smt_goal own;
    smt_goal_copy(&own, goal);
    for (size_t i = 0; i < n; i++)
        smt_goal_add(&own, facts[i]);
    smt_goal_simplify(s->task->ctx, &own, SMT_ELIMINATE_LINEAR);
    bool refuted = refute(s, &own, depth);
    smt_goal_free(&own);
    return refuted;
}

typedef struct split { /* parts of which one holds */
    size_t n;
    const smt_t *parts;
    smt_t sides[2];
} split;

/* Refutes each part in turn, with those before it false. */
static bool refute_parts(search *s, const smt_goal *goal, const split *either, int depth,
                         refute_how refute)
{
    smt_t *facts = NULL;
    bool refuted = true;
    for (size_t i = 0; i < either->n && refuted; i++) {
        arrput(facts, either->parts[i]);
        refuted = refute_with(s, goal, arrlenu(facts), facts, depth, refute);
        facts[arrlenu(facts) - 1] = smt_not(s->task->ctx, either->parts[i]);
    }
    arrfree(facts);
    return refuted;
}

static smt_t find_condition(const smt_goal *goal)
{
    smt_order order;
    smt_t found = NULL;
    smt_order_make(&order, arrlenu(goal->facts), goal->facts);
    for (size_t i = 0; i < smt_order_count(&order) && !found; i++)
        if (order.terms[i]->kind == SMT_ITE)
            found = order.terms[i]->args[0];
    smt_order_free(&order);
    return found;
}

/* A factor that may be of either sign. */
static smt_t find_unsigned(const smt_goal *goal)
{
    smt_order order;
    smt_t found = NULL;
    smt_order_make(&order, arrlenu(goal->facts), goal->facts);
    for (size_t i = 0; i < smt_order_count(&order) && !found; i++)
        for (uint32_t k = 0; order.terms[i]->kind == SMT_PROD && k < order.terms[i]->n_args; k++)
            if (order.terms[i]->args[k]->low < 0 && order.terms[i]->args[k]->high > 0)
                found = order.terms[i]->args[k];
    smt_order_free(&order);
    return found;
}

/* A fact with few parts, then a condition, then, where asked for, signs and two sides. False:
 * nothing is open.
 */
static bool find_split(smt_ctx *ctx, const smt_goal *goal, bool sides, split *found)
{
    smt_t either = NULL, unequal = NULL, condition = NULL, factor = NULL;
    smt_t zero = smt_int_const(ctx, 0);
    for (size_t i = 0; i < arrlenu(goal->facts); i++) {
        smt_t fact = goal->facts[i];
        if (fact->kind == SMT_OR && (!either || fact->n_args < either->n_args))
            either = fact;
        if (fact->kind == SMT_NOT && fact->args[0]->kind == SMT_EQ && !unequal && sides)
            unequal = fact->args[0]->args[0];
    }
    *found = (split){.n = 2, .parts = found->sides};
    if (either) {
        found->n = either->n_args;
        found->parts = either->args;
    } else if ((condition = find_condition(goal)) != NULL) {
        found->sides[0] = condition;
        found->sides[1] = smt_not(ctx, condition);
    } else if (sides && (factor = find_unsigned(goal)) != NULL) {
        found->sides[0] = smt_lt(ctx, factor, zero);
        found->sides[1] = smt_ge(ctx, factor, zero);
    } else if (unequal) {
        found->sides[0] = smt_lt(ctx, unequal, zero);
        found->sides[1] = smt_gt(ctx, unequal, zero);
    }
    return either || condition || factor || unequal;
}

static bool is_spent(search *s)
{
    return s->cases-- <= 0 || smt_left(s->task, s->until) == 0;
}

/* Refutes a goal without divisions. If no case is open, numbers between two whole ones are left. */
static bool refute_plain(search *s, smt_goal *goal, int depth)
{
    smt_ctx *ctx = s->task->ctx;
    split either;
    smt_t fractional;
    smt_int below;
    if (goal->is_false)
        return true;
    if (is_spent(s))
        return false;
    if (smt_goal_is_infeasible(ctx, goal, &fractional, &below))
        return true;
    if (depth >= MAX_DEPTH)
        return false;
    if (!find_split(ctx, goal, true, &either)) {
        if (!fractional)
            return false;
        either = (split){.n = 2, .parts = either.sides};
        either.sides[0] = smt_le(ctx, fractional, smt_int_const(ctx, below));
        either.sides[1] = smt_not(ctx, either.sides[0]);
    }
    return refute_parts(s, goal, &either, depth + 1, refute_plain);
}

/* Conditions are split on before divisions become variables: many a divisor is a choice. */
static bool refute(search *s, smt_goal *goal, int depth)
{
    smt_ctx *ctx = s->task->ctx;
    split either;
    if (goal->is_false)
        return true;
    bool more = depth < MAX_DEPTH && find_split(ctx, goal, false, &either);
    if (!(smt_goal_flags(goal) & SMT_HAS_DIV))
        return refute_plain(s, goal, depth);
    if (is_spent(s))
        return false;
    smt_goal own;
    smt_goal_copy(&own, goal);
    own.keep_factors = true;
    smt_goal_remove_divisions(s->task, &own, s->until);
    bool refuted = own.is_false || smt_goal_is_infeasible(ctx, &own, NULL, NULL) ||
                   smt_goal_refute(ctx, &own, smt_left(s->task, s->until));
    if (!refuted)
        refuted =
            more ? refute_parts(s, goal, &either, depth + 1, refute) : refute_plain(s, &own, depth);
    smt_goal_free(&own);
    return refuted;
}

/* ---- Section: Facts that say nothing ---- */

typedef struct flag_use { /* of a boolean variable */
    smt_t key;
    int value; /* HOLDS and FAILS: where it stands in a disjunction; both: it matters */
} flag_use;

enum { HOLDS = 1, FAILS = 2 };

static void note_use(flag_use **uses, smt_t flag, int how)
{
    ptrdiff_t at = hmgeti(*uses, flag);
    hmput(*uses, flag, how | (at >= 0 ? (*uses)[at].value : 0));
}

static smt_t flag_of(smt_t literal, int *how)
{
    *how = literal->kind == SMT_NOT ? FAILS : HOLDS;
    smt_t flag = literal->kind == SMT_NOT ? literal->args[0] : literal;
    return flag->kind == SMT_BVAR ? flag : NULL;
}

static void note_uses(flag_use **uses, smt_t fact)
{
    int how;
    smt_order order;
    if (fact->kind == SMT_OR) {
        for (uint32_t i = 0; i < fact->n_args; i++) {
            smt_t flag = flag_of(fact->args[i], &how);
            if (flag)
                note_use(uses, flag, how);
            else
                note_uses(uses, fact->args[i]);
        }
        return;
    }
    smt_order_make(&order, 1, &fact);
    for (size_t i = 0; i < smt_order_count(&order); i++)
        if (order.terms[i]->kind == SMT_BVAR)
            note_use(uses, order.terms[i], HOLDS | FAILS);
    smt_order_free(&order);
}

/* A disjunction is true by a variable that no other fact needs otherwise: nothing is to be split
 * there. */
static void drop_idle(smt_goal *goal)
{
    flag_use *uses = NULL;
    size_t kept = 0;
    for (size_t i = 0; i < arrlenu(goal->facts); i++)
        note_uses(&uses, goal->facts[i]);
    for (size_t i = 0; i < arrlenu(goal->facts) && uses; i++) {
        smt_t fact = goal->facts[i];
        bool idle = false;
        for (uint32_t k = 0; fact->kind == SMT_OR && k < fact->n_args && !idle; k++) {
            int how;
            smt_t flag = flag_of(fact->args[k], &how);
            idle = flag && hmget(uses, flag) == how;
        }
        if (!idle)
            goal->facts[kept++] = fact;
    }
    if (uses)
        arrsetlen(goal->facts, kept);
    hmfree(uses);
}

/* The number of cases for a goal. A large goal gets few: the solver is better at those. */
static int cases_for(const smt_goal *goal)
{
    smt_order order;
    smt_order_make(&order, arrlenu(goal->facts), goal->facts);
    size_t n = MAX_TERMS / (smt_order_count(&order) + 1);
    smt_order_free(&order);
    return n < MIN_CASES ? MIN_CASES : n > MAX_CASES ? MAX_CASES : (int)n;
}

bool smt_try_cases(smt_task *task, smt_goal *goal, smt_steps until)
{
    search s = {task, cases_for(goal), until};
    smt_goal own;
    smt_goal_copy(&own, goal);
    drop_idle(&own);
    bool refuted = refute(&s, &own, 0);
    smt_goal_free(&own);
    return refuted && smt_decided(task, SMT_UNSAT, NULL, "cases");
}

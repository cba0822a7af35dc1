/* Answers SAT without the solver: a plain assignment is changed leaf by leaf until every fact is
 * true. That it does not get there says nothing.
 *
 * Each step takes a fact that is false and makes, of the changes that would mend it, the one that
 * leaves the others nearest to true. A leaf that was changed stays as it is for a few steps, and
 * facts that stay false count for more and more, so that no step goes round in circles for long.
 * Everything is counted in steps and evaluations, never in time, and what is drawn at random always
 * comes out alike: the same question gives the same model. */
#include "goal/equations.h"
#include "goal/goal.h"
#include "solver/answer.h"
#include "solver/ask.h"
#include "solver/model.h"
#include "solver/task.h"
#include "strategies/assignment.h"
#include "strategies/guess.h"
#include "strategies/moves.h"
#include "strategies/strategy.h"
#include "terms/node.h"
#include "terms/walk.h"

#include "base/ds.h"

enum { MAX_STEPS = 120, PLAIN_STARTS = 3, MANY_STARTS = 4, MAX_SOLVED = 40, WORK = 60000 };

/* The values that shared variables start from, and those of the first and second block copy; and
 * how far apart applications start. */
static const struct start {
    int shared, first, second, apart;
} starts[PLAIN_STARTS] = {{2, 0, 1, 0}, {1, 0, 0, 1}, {64, 1, 0, 7}};

/* The first starts are plain, the others are drawn. */
static smt_int draw(repair *r)
{
    static const int numbers[] = {0,  0,  1,  1,  2,  3,   4,   7,   8,
                                  16, 31, 32, 33, 64, 100, 128, 256, 1000};
    return numbers[repair_random(r, TR_COUNT(numbers))];
}

static void set_out(repair *r, const struct start *start)
{
    for (size_t i = 0; i < arrlenu(r->leaves); i++) {
        smt_t leaf = r->order.terms[r->leaves[i]];
        int copy = leaf->n_args > 0 ? 0 : smt_side_of(leaf);
        smt_int number = !start      ? draw(r)
                         : copy == 2 ? start->second
                         : copy == 1 ? start->first
                                     : start->shared;
        if (start && leaf->n_args > 0)
            number = (smt_int)i * start->apart;
        r->own[r->leaves[i]] = repair_within(leaf, number);
    }
    for (size_t i = 0; i < arrlenu(r->facts); i++) {
        r->cost -= (uint64_t)(r->weight[r->facts[i]] - 1) * r->badness[r->facts[i]];
        r->weight[r->facts[i]] = 1;
    }
    repair_evaluate(r);
}

static uint32_t pick_false(repair *r)
{
    uint32_t n = 0, picked = 0;
    for (size_t i = 0; i < arrlenu(r->facts); i++)
        if (r->badness[r->facts[i]] > 0 && repair_random(r, ++n) == 0)
            picked = r->facts[i];
    return picked;
}

/* Picks the best of the proposed changes that is not held, or any change if it is better than all
 * so far. */
static bool pick_change(repair *r, const int *held, int step, uint64_t best_ever,
                        repair_change *picked, uint64_t *cost)
{
    bool any = false;
    for (size_t i = 0; i < arrlenu(r->changes) && r->work > 0; i++) {
        uint64_t with = repair_cost_with(r, r->changes[i]);
        if ((held[r->changes[i].leaf] > step && with >= best_ever) || (any && with >= *cost))
            continue;
        any = true;
        *picked = r->changes[i];
        *cost = with;
    }
    return any;
}

/* True: all facts are. */
static bool walk(repair *r, int *held, int most_steps)
{
    uint64_t best = r->cost;
    for (size_t i = 0; i < smt_order_count(&r->order); i++)
        held[i] = 0;
    for (int step = 1; step <= most_steps && r->cost > 0 && r->work > 0; step++) {
        repair_change change;
        uint64_t cost = 0, before = r->cost;
        repair_propose(r, pick_false(r));
        if (pick_change(r, held, step, best, &change, &cost)) {
            repair_apply(r, change);
            held[change.leaf] = step + 2 + (int)repair_random(r, 3);
        }
        if (r->cost < best)
            best = r->cost;
        if (r->cost >= before)
            repair_weigh(r);
    }
    return r->cost == 0;
}

static smt_model *model_of(smt_task *task, const repair *r, const smt_goal *goal)
{
    smt_t *terms = NULL;
    smt_int *numbers = NULL;
    for (int applied = 0; applied < 2; applied++) /* arguments have values first */
        for (size_t i = 0; i < arrlenu(r->leaves); i++) {
            uint32_t place = r->leaves[i];
            if ((r->order.terms[place]->n_args > 0) != (applied > 0))
                continue;
            arrput(terms, r->order.terms[place]);
            arrput(numbers, r->values[place].number);
        }
    smt_model *model =
        smt_model_make(task->ctx, task->prover->arena, arrlenu(terms), terms, numbers, goal);
    arrfree(terms);
    arrfree(numbers);
    return model;
}

/* A variable that an equation gives has no value of its own: then the equation is always true. */
static void solve_equations(smt_task *task, smt_goal *goal)
{
    for (int i = 0; i < MAX_SOLVED && !goal->is_false; i++)
        if (!smt_goal_eliminate(task->ctx, goal, SMT_ELIMINATE_ONE))
            break;
}

bool smt_try_repair(smt_task *task, smt_goal *goal, smt_steps until)
{
    if (goal->weakened)
        return false;
    smt_goal own;
    repair r;
    int *held = NULL;
    smt_goal_copy(&own, goal);
    solve_equations(task, &own);
    bool decided = false, usable = repair_init(&r, arrlenu(own.facts), own.facts) && !own.is_false;
    arrsetlen(held, smt_order_count(&r.order) + 1);
    bool hard = task->scale > 0; /* what is plain has been tried */
    int first = hard ? PLAIN_STARTS : 0, end = hard ? PLAIN_STARTS + MANY_STARTS : PLAIN_STARTS;
    for (int i = first; i < end && usable && !decided && smt_left(task, until) > 0; i++) {
        r.work = hard ? 2 * WORK : WORK;
        set_out(&r, i < PLAIN_STARTS ? &starts[i] : NULL);
        long work = r.work;
        r.all_wishes = 0;
        bool found = walk(&r, held, hard ? 2 * MAX_STEPS : MAX_STEPS);
        smt_tick(task->ctx, (uint64_t)(work - r.work) + r.all_wishes);
        if (!found)
            continue;
        smt_model *model = model_of(task, &r, &own);
        if (model && smt_model_satisfies(model, task->n_original, task->original))
            decided = smt_decided(task, SMT_SAT, model, "repair");
    }
    arrfree(held);
    repair_free(&r);
    smt_goal_free(&own);
    return decided;
}

/* Races that not every order of blocks shows: small launches, run by several schedules. A race in a
 * run is certain, whatever the schedule: happens-before is known exactly there. */
#include "witness/schedules.h"

#include "interp/schedule.h"
#include "order/event.h"
#include "order/state.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/two_events.h"
#include "witness/enumerate.h"
#include "witness/launches.h"
#include "witness/replay.h"

#include "base/ds.h"

enum { MAX_BLOCKS = 64, MAX_ALIKE = 12, SEEDS = 24, SCHEDULES = 4 };
enum { RUNS_OF_LAUNCH = SEEDS * SCHEDULES };

/* Steps, so that what is found does not depend on how busy the machine is: those of one pair of
 * accesses, and of all that showed nothing. A run costs some besides. */
#define RUN_STEPS ((smt_steps)600)
#define OWN_STEPS ((smt_steps)1500000)
#define ALL_STEPS (2 * OWN_STEPS)

static witness *in_run(checker *k, const concrete_launch *launch, const interp_schedule *schedule,
                       const ix_access *a, const ix_access *b, copy_relation relation,
                       order_seen_run *seen, const char **why)
{
    smt_steps before = ask_taken(k);
    interp_run *run = ask_run(k, launch, 2000000, 500000, schedule);
    witness *w = NULL;
    *seen = (order_seen_run){.held = schedule->held, .until = schedule->until};
    if (witness_run_is_defined(k, run)) {
        w = witness_among_races(k, launch, run, a, b, relation, why, seen);
        seen->seen = true;
        seen->why = *why;
    }
    seen->work = RUN_STEPS + ask_taken(k) - before;
    interp_run_free(run);
    return w;
}

static bool is_of(const order_seen_run *run, const ix_access *a, const ix_access *b)
{
    for (size_t i = 0; i < run->n_races; i++) {
        const order_racing_ops *ops = &run->races[i];
        if ((ops->a == a->op && ops->b == b->op) || (ops->a == b->op && ops->b == a->op))
            return true;
    }
    return false;
}

/* Was the schedule's run looked at for another pair, and do these ops not race in it? */
static bool is_known(const order_seen_run *run, const interp_schedule *schedule, const ix_access *a,
                     const ix_access *b)
{
    return run->seen && run->held == schedule->held && run->until == schedule->until &&
           !is_of(run, a, b);
}

/* Is the access steered by a value read from memory that the launch writes? Then the order of
 * blocks decides. */
static bool is_steered(checker *k, const ix_access *a)
{
    order_event *values = order_values_behind(k, a, 0);
    bool steered = arrlenu(values) > 0;
    arrfree(values);
    return steered;
}

/* Bits: the axes of the grid that have several tile blocks. Blocks that synchronise along one axis
 * do not meet in launches of several blocks on another one. */
static unsigned axes_of(const concrete_launch *launch)
{
    unsigned axes = 0;
    for (int axis = 0; axis < 3; axis++)
        axes |= (launch->grid[axis] > 1 ? 1u : 0) << axis;
    return axes;
}

witness *witness_in_schedules(checker *k, const ix_access *a, const ix_access *b,
                              copy_relation relation, const char **why)
{
    order_state *state = order_state_of(k);
    if (!state->any_reads && !is_steered(k, a) && !is_steered(k, b))
        return NULL;
    if (state->schedule_work > ALL_STEPS)
        return NULL; /* many pairs are open: schedules show nothing here */
    if (!state->launches)
        state->n_launches = enumerate_launches(k, &state->launches);
    if (!state->runs)
        state->runs =
            TR_NEW_ARRAY(k->arena, order_seen_run, state->n_launches * RUNS_OF_LAUNCH + 1);
    interp_schedule schedules[SCHEDULES] = {
        {.policy = INTERP_AIMED, .held = a->op, .until = b->op, .held_block = INTERP_ANY_BLOCK},
        {.policy = INTERP_AIMED, .held = b->op, .until = a->op, .held_block = INTERP_ANY_BLOCK},
        {.policy = INTERP_RANDOM},
        {.policy = INTERP_RANDOM, .window = 1},
    };
    smt_steps work = 0;
    unsigned tried[8] = {0}; /* by axes */
    for (size_t i = 0; i < state->n_launches && !tr_budget_is_spent(smt_budget(k->ctx)); i++) {
        const concrete_launch *launch = state->launches[i];
        int64_t blocks = launch->grid[0] * launch->grid[1] * launch->grid[2];
        unsigned *alike = &tried[axes_of(launch)];
        if (blocks < 2 || blocks > MAX_BLOCKS || *alike == MAX_ALIKE ||
            !witness_launch_holds(k, launch))
            continue;
        ++*alike;
        for (size_t s = 0; s < RUNS_OF_LAUNCH && !tr_budget_is_spent(smt_budget(k->ctx)); s++) {
            interp_schedule *schedule = &schedules[s % SCHEDULES];
            schedule->seed = s / SCHEDULES;
            bool twin = s % SCHEDULES == 1 && a->op == b->op; /* of the schedule before it */
            order_seen_run *seen = &state->runs[i * RUNS_OF_LAUNCH + s - twin];
            witness *w = NULL;
            if (is_known(seen, schedule, a, b))
                *why = seen->why;
            else
                w = in_run(k, launch, schedule, a, b, relation, seen, why);
            work += seen->work;
            if (w || work > OWN_STEPS || state->schedule_work + work > ALL_STEPS) {
                state->schedule_work += w ? 0 : work;
                return w;
            }
        }
    }
    state->schedule_work += work;
    return NULL;
}

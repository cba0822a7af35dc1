/* Races that not every order of blocks shows: small launches, run by several schedules. A race in a
 * run is certain, whatever the schedule: happens-before is known exactly there. */
#include "rules/require_search.h"
#include "rules/sync.h"

#include "base/ds.h"
#include "interp/schedule.h"

enum { MAX_BLOCKS = 64, MAX_ALIKE = 6, SEEDS = 24 };

/* Steps, so that what is found does not hang on how busy the machine is: those of one pair of
 * accesses, and of all that showed nothing. A run costs some besides. */
#define RUN_STEPS ((smt_steps)600)
#define OWN_STEPS ((smt_steps)1500000)
#define ALL_STEPS (2 * OWN_STEPS)

static witness *in_run(checker *k, const interp_launch *launch, const interp_schedule *schedule,
                       const ix_access *a, const ix_access *b, copy_relation relation,
                       smt_steps *work, const char **why)
{
    smt_steps before = ask_taken(k);
    interp_run *run = ask_run(k, launch, 2000000, 500000, schedule);
    witness *w =
        require_run_is_defined(k, run) ? witness_in_run(k, launch, run, a, b, relation, why) : NULL;
    *work += RUN_STEPS + ask_taken(k) - before;
    interp_run_free(run);
    return w;
}

/* By a value read from memory that the launch writes: then the order of blocks decides. */
static bool is_steered(checker *k, const ix_access *a)
{
    sync_event *values = sync_values_behind(k, a, 0);
    bool steered = arrlenu(values) > 0;
    arrfree(values);
    return steered;
}

/* Bits: the axes of the grid that have several tile blocks. Blocks that synchronise along one axis
 * do not meet in launches of several blocks on another one. */
static unsigned axes_of(const interp_launch *launch)
{
    unsigned axes = 0;
    for (int axis = 0; axis < 3; axis++)
        axes |= (launch->grid[axis] > 1 ? 1u : 0) << axis;
    return axes;
}

witness *sync_witness(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                      const char **why)
{
    sync_state *state = sync_state_of(k);
    if (!state->any_reads && !is_steered(k, a) && !is_steered(k, b))
        return NULL;
    if (state->schedule_work > ALL_STEPS)
        return NULL; /* many pairs are open: schedules show nothing here */
    if (!state->launches)
        state->n_launches = enumerate_launches(k, &state->launches);
    interp_schedule schedules[] = {
        {.policy = INTERP_AIMED, .held = a->op, .until = b->op, .held_block = INTERP_ANY_BLOCK},
        {.policy = INTERP_AIMED, .held = b->op, .until = a->op, .held_block = INTERP_ANY_BLOCK},
        {.policy = INTERP_RANDOM},
        {.policy = INTERP_RANDOM, .window = 1},
    };
    smt_steps work = 0;
    unsigned tried[8] = {0}; /* by axes */
    for (size_t i = 0; i < state->n_launches && !tr_budget_is_spent(smt_budget(k->ctx)); i++) {
        const interp_launch *launch = state->launches[i];
        int64_t blocks = launch->grid[0] * launch->grid[1] * launch->grid[2];
        unsigned *alike = &tried[axes_of(launch)];
        if (blocks < 2 || blocks > MAX_BLOCKS || *alike == MAX_ALIKE ||
            !require_launch_holds(k, launch))
            continue;
        ++*alike;
        for (size_t s = 0;
             s < SEEDS * TR_COUNT(schedules) && !tr_budget_is_spent(smt_budget(k->ctx)); s++) {
            interp_schedule *schedule = &schedules[s % TR_COUNT(schedules)];
            schedule->seed = s / TR_COUNT(schedules);
            witness *w = in_run(k, launch, schedule, a, b, relation, &work, why);
            if (w || work > OWN_STEPS || state->schedule_work + work > ALL_STEPS) {
                state->schedule_work += w ? 0 : work;
                return w;
            }
        }
    }
    state->schedule_work += work;
    return NULL;
}

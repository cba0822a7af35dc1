/* Races that not every order of blocks shows: small launches, run by several schedules. A race in a
 * run is certain, whatever the schedule: happens-before is known exactly there. */
#include "rules/require_search.h"
#include "rules/sync.h"

#include "base/ds.h"
#include "interp/schedule.h"

enum { MAX_BLOCKS = 16, MAX_LAUNCHES = 6, SEEDS = 24, OWN_MS = 1500, ALL_MS = 8000 };

static witness *in_run(checker *k, const interp_launch *launch, const interp_schedule *schedule,
                       const ix_access *a, const ix_access *b, copy_relation relation,
                       const char **why)
{
    interp_limits limits = {.steps = 2000000, .events = 500000};
    interp_run *run =
        interp_execute_scheduled(k->kernel, launch, &k->options->model, &limits, 0, NULL, schedule);
    witness *w =
        require_run_is_defined(k, run) ? witness_in_run(k, launch, run, a, b, relation, why) : NULL;
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

witness *sync_witness(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                      const char **why)
{
    sync_state *state = sync_state_of(k);
    if (!state->any_reads && !is_steered(k, a) && !is_steered(k, b))
        return NULL;
    if (state->schedule_ms > ALL_MS)
        return NULL; /* many pairs are open: schedules show nothing here */
    if (!state->launches)
        state->n_launches = enumerate_launches(k, &state->launches);
    interp_schedule schedules[] = {
        {.policy = INTERP_AIMED, .held = a->op, .until = b->op, .held_block = INTERP_ANY_BLOCK},
        {.policy = INTERP_AIMED, .held = b->op, .until = a->op, .held_block = INTERP_ANY_BLOCK},
        {.policy = INTERP_RANDOM},
        {.policy = INTERP_RANDOM, .window = 1},
    };
    double started = ask_now_ms();
    size_t tried = 0;
    for (size_t i = 0; i < state->n_launches && tried < MAX_LAUNCHES; i++) {
        const interp_launch *launch = state->launches[i];
        int64_t blocks = launch->grid[0] * launch->grid[1] * launch->grid[2];
        if (blocks < 2 || blocks > MAX_BLOCKS || !require_launch_holds(k, launch))
            continue;
        tried++;
        for (size_t s = 0; s < SEEDS * TR_COUNT(schedules); s++) {
            interp_schedule *schedule = &schedules[s % TR_COUNT(schedules)];
            schedule->seed = s / TR_COUNT(schedules);
            witness *w = in_run(k, launch, schedule, a, b, relation, why);
            double spent = ask_now_ms() - started;
            if (w || spent > OWN_MS || state->schedule_ms + spent > ALL_MS) {
                state->schedule_ms += w ? 0 : spent;
                return w;
            }
        }
    }
    state->schedule_ms += ask_now_ms() - started;
    return NULL;
}

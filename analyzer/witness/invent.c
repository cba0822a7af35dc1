/* Races behind a condition on floats: the prover follows none, so a model says nothing of them, and
 * the replay ends where a branch or a mask depends on one. Contents are invented then, and the
 * launch is replayed with each of them until the race is there. The number of trials and the
 * elements that they may compute are limited, whatever the machine does meanwhile. */
#include "witness/invent.h"

#include "interp/interp.h"
#include "interp/launch.h"
#include "launch/from_contract.h"
#include "question/checker.h"
#include "witness/launches.h"
#include "witness/replay.h"

#include <string.h>

enum { MAX_TRIALS = 200, TRIAL_STEPS = 2000000, ALL_STEPS = 40000000 };

/* The launch with these contents beside those of the model. */
static concrete_launch *with_contents(checker *k, const concrete_launch *launch,
                                      const interp_filling *filling)
{
    int64_t *scalars = TR_NEW_ARRAY(k->arena, int64_t, launch->n_args + 1);
    for (size_t i = 0; i < launch->n_args; i++)
        scalars[i] = launch->args[i].value;
    const char *why;
    return concrete_launch_from(k->arena, k->ctx, k->kernel, witness_with_indices(k), launch->grid,
                                scalars, filling, &why);
}

witness *witness_with_floats(checker *k, const float_question *q, concrete_launch **launch,
                             interp_filling *filling)
{
    uint64_t worked = 0;
    const interp_filling plain = *filling;
    for (size_t trial = 0; trial < MAX_TRIALS && worked < ALL_STEPS; trial++) {
        interp_contents *floats;
        size_t n = concrete_invent_floats(k->arena, k->kernel, k->contract, trial, &floats);
        if (n == 0)
            return NULL;
        interp_contents *all = TR_NEW_ARRAY(k->arena, interp_contents, plain.n_contents + n);
        if (plain.n_contents)
            memcpy(all, plain.contents, plain.n_contents * sizeof *all);
        memcpy(all + plain.n_contents, floats, n * sizeof *all);
        interp_filling tried = plain;
        tried.contents = all;
        tried.n_contents = plain.n_contents + n;
        concrete_launch *now = with_contents(k, *launch, &tried);
        if (!now)
            return NULL;
        interp_limits limits = {.steps = TRIAL_STEPS, .events = TRIAL_STEPS};
        interp_run *run = interp_execute_blocks(k->kernel, now, &k->options->model, &limits,
                                                q->n_blocks, q->blocks);
        const char *why;
        witness *w = witness_in_run(k, now, run, q->a, q->b, q->relation, &why);
        worked += interp_work(run);
        interp_run_free(run);
        if (!w)
            continue;
        *launch = now;
        *filling = tried;
        return w;
    }
    return NULL;
}

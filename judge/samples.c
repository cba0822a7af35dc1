#include "judge/samples.h"
#include "launch/from_contract.h"

#include <stdlib.h>
#include <string.h>

#include "base/ds.h"

#define MOST_BLOCKS   ((int64_t)256)
#define MOST_ELEMENTS ((int64_t)1 << 16) /* of all buffers: a sample takes milliseconds */
#define MOST_STEPS    ((uint64_t)4 << 20)

run_target judge_target(const judging *j, const judged_kernel *k, const concrete_launch *launch)
{
    return (run_target){.s = j->s,
                        .input = k->input,
                        .kernel = k->kernel,
                        .launch = launch,
                        .report = k->report,
                        .checked = k->checked ? k->checked : k->input,
                        .checked_kernel = k->checked ? k->checked_kernel : k->kernel,
                        .reference = j->reference.words ? &j->reference : NULL};
}

static int smallest_first(const void *a, const void *b)
{
    const concrete_launch *x = *(const concrete_launch *const *)a,
                          *y = *(const concrete_launch *const *)b;
    int64_t blocks = concrete_launch_blocks(x) - concrete_launch_blocks(y);
    int64_t bytes = concrete_stated_bytes(x) - concrete_stated_bytes(y);
    return blocks ? (blocks > 0) - (blocks < 0) : (bytes > 0) - (bytes < 0);
}

/* Is everything equal that tells one launch from another? */
static bool is_same(const concrete_launch *a, const concrete_launch *b)
{
    bool same = memcmp(a->grid, b->grid, sizeof a->grid) == 0;
    for (size_t i = 0; i < a->n_args && same; i++)
        same = a->args[i].value == b->args[i].value;
    return same;
}

/* Adds the launch if it is small, ends soon, and is not in the list yet. */
static void add(const run_target *t, const concrete_launch *launch, samples *all)
{
    const interp_limits limits = {.steps = MOST_STEPS};
    const concrete_launch *with =
        concrete_with_idle_ones(t->input->arena, t->kernel->function, t->kernel->contract, launch);
    for (size_t i = 0; i < all->n; i++)
        if (is_same(all->launches[i], with))
            return;
    if (concrete_launch_blocks(with) <= MOST_BLOCKS &&
        concrete_stated_bytes(with) / 4 <= MOST_ELEMENTS && run_ends_within(t, with, &limits))
        all->launches[all->n++] = with;
}

/* Launches of one tile block say little of how blocks meet, so there are few of them. */
static void add_found(const run_target *t, size_t n, concrete_launch *const *found, size_t wanted,
                      samples *all)
{
    size_t singles = 0;
    for (size_t i = 0; i < n && all->n < wanted; i++) {
        bool is_single = concrete_launch_blocks(found[i]) == 1;
        if (is_single && 4 * singles > wanted)
            continue;
        singles += is_single;
        add(t, found[i], all);
    }
}

/* Adds what the solver gave, up to half of all, where it meets the contract, which may say more by
 * now.
 */
static void add_worst(const judging *j, const run_target *t, size_t wanted, samples *all)
{
    const contract *c = t->kernel->contract;
    interp_filling filling = {.seed = j->context->seed, .most_elements = MOST_ELEMENTS};
    for (size_t i = 0; i < arrlenu(j->worst) && all->n < wanted; i++) {
        int64_t grid[3];
        const char *why;
        memcpy(grid, j->worst[i].grid, sizeof grid);
        if (!concrete_launch_holds(t->input->ctx, c, j->worst[i].scalars, grid))
            continue;
        const concrete_launch *launch =
            concrete_launch_from(t->input->arena, t->input->ctx, t->kernel->function, c, grid,
                                 j->worst[i].scalars, &filling, &why);
        if (launch)
            add(t, launch, all);
    }
}

static samples room_for(const judged_kernel *k, size_t n)
{
    return (samples){.launches = TR_NEW_ARRAY(k->input->arena, const concrete_launch *, n)};
}

samples judge_worst_samples(const judging *j, const judged_kernel *k)
{
    size_t wanted = j->context->samples;
    run_target t = {.s = j->s, .input = k->input, .kernel = k->kernel};
    samples all = room_for(k, wanted);
    add_worst(j, &t, wanted, &all);
    return all;
}

samples judge_samples(const judging *j, const judged_kernel *k)
{
    size_t wanted = j->context->samples;
    run_target t = {.s = j->s, .input = k->input, .kernel = k->kernel};
    concrete_launch **found = NULL;
    size_t n = run_search_for_choice(&t, true, j->context->seed, wanted, &found);
    samples all = room_for(k, wanted + 2);
    add_worst(j, &t, (wanted + 1) / 2, &all);
    add_found(&t, n, found, wanted, &all);
    /* The largest that is quick, and the only one where numbers are stated that are no small ones.
     */
    const interp_limits limits = {.steps = MOST_STEPS};
    if (run_choose_among(&t, true, n, found, &all.why) &&
        (all.n == 0 || run_ends_within(&t, t.launch, &limits)))
        all.launches[all.n++] = t.launch;
    if (all.n)
        all.why = NULL;
    qsort(all.launches, all.n, sizeof(const concrete_launch *), smallest_first);
    return all;
}

#include "judge/samples.h"
#include "launch/from_contract.h"
#include "launch/search.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BLOCKS   ((int64_t)256)
#define MOST_ELEMENTS ((int64_t)1 << 16) /* of all buffers: a sample takes milliseconds */
#define MOST_STEPS    ((uint64_t)4 << 20)

static int smallest_first(const void *a, const void *b)
{
    const interp_launch *x = *(const interp_launch *const *)a,
                        *y = *(const interp_launch *const *)b;
    int64_t blocks = interp_launch_blocks(x) - interp_launch_blocks(y);
    int64_t bytes = interp_stated_bytes(x) - interp_stated_bytes(y);
    return blocks ? (blocks > 0) - (blocks < 0) : (bytes > 0) - (bytes < 0);
}

samples judge_samples(const judging *j, const judged_kernel *k)
{
    tr_arena *arena = k->input->arena;
    session *s = j->s;
    run_target t = {.s = s, .input = k->input, .kernel = k->kernel};
    interp_search search = {.wanted = j->context->samples,
                            .max_blocks = MOST_BLOCKS,
                            .max_elements = MOST_ELEMENTS,
                            .seed = j->context->seed};
    interp_launch **found = NULL;
    size_t n = run_search_launches(&t, &search, &found);
    samples all = {.launches = TR_NEW_ARRAY(arena, const interp_launch *, n + 2)};
    const interp_limits limits = {.steps = MOST_STEPS};
    for (size_t i = 0; i < n; i++) {
        const interp_launch *launch =
            interp_with_idle_ones(arena, k->kernel->function, k->kernel->contract, found[i]);
        if (run_ends_within(&t, launch, &limits))
            all.launches[all.n++] = launch;
    }
    /* The largest that is quick, and the only one where numbers are stated that are no small ones.
     */
    if (run_choose_launch(&t, true, &all.why) &&
        (all.n == 0 || run_ends_within(&t, t.launch, &limits)))
        all.launches[all.n++] = t.launch;
    if (all.n)
        all.why = NULL;
    qsort(all.launches, all.n, sizeof(const interp_launch *), smallest_first);
    return all;
}

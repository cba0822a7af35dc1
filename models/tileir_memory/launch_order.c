/* D23: a launch starts from what its stream's launches before it left. A dependent launch may start
 * early: of it only what is token-after its gdc_wait_tko (D22) comes after the launch before. */
#include "tileir_memory/execution.h"

static bool is_before(const model_execution *x, const model_event *a, const model_event *b)
{
    uint32_t from = x->blocks[a->block].launch, to = x->blocks[b->block].launch;
    if (from >= to || x->launches[from].stream != x->launches[to].stream)
        return false;
    if (!x->launches[to].dependent)
        return true;
    /* The wait is for the launch just before, whole; what that one itself waited for comes by
     * transitivity, and what it did not wait for need not have ended. */
    for (uint32_t between = from + 1; between < to; between++)
        if (x->launches[between].stream == x->launches[to].stream)
            return false;
    return b->after_wait;
}

void model_launch_order(const model_execution *x, model_relation *launch)
{
    model_relation_clear(launch);
    for (size_t a = 0; a < x->n_events; a++)
        for (size_t b = 0; b < x->n_events; b++)
            if (is_before(x, &x->events[a], &x->events[b]))
                model_relate(launch, a, b);
}

/* A9: no value comes out of thin air, read as: dependency and reads-from together have no cycle. */
#include "tileir_memory/execution.h"

bool model_thin_air_holds(const model_execution *x)
{
    if (!x->choices.no_thin_air)
        return true;
    tr_arena *arena = tr_arena_new();
    model_relation order = model_relation_new(arena, x->n_events);
    model_relation_copy(&order, &x->dependency);
    for (size_t r = 0; r < x->n_events; r++)
        for (uint32_t byte = 0; (x->events[r].access & MODEL_READ) && byte < MODEL_MAX_WIDTH;
             byte++)
            if (x->reads_from[r][byte] < x->n_events)
                model_relate(&order, x->reads_from[r][byte], r);
    bool holds = model_relation_acyclic(&order);
    tr_arena_free(arena);
    return holds;
}

/* A8: the morally strong accesses of one location agree with rpo: rpo between accesses that
 * overlap, reads-from, coherence and from-reads, as far as morally strong, have no cycle. Without a
 * token two scoped accesses of a block are free to go either way. */
#include "tileir_memory/execution.h"

static bool communicates(const model_execution *x, const model_orders *orders, size_t a, size_t b)
{
    const model_event *e = &x->events[b];
    for (uint32_t byte = 0; byte < e->width; byte++)
        if (x->reads_from[b][byte] == a)
            return true;
    return model_reads_before(x, orders, a, b) ||
           (model_writes_ordered(x, orders, a, b) && model_related(&x->coherence, a, b));
}

bool model_per_location_holds(const model_execution *x, const model_orders *orders)
{
    if (!x->choices.coherence_per_location)
        return true;
    tr_arena *arena = tr_arena_new();
    model_relation order = model_relation_new(arena, x->n_events);
    for (size_t a = 0; a < x->n_events; a++)
        for (size_t b = 0; b < x->n_events; b++) {
            if (!model_events_overlap(&x->events[a], &x->events[b]))
                continue;
            if (model_related(&orders->rpo, a, b) ||
                (model_related(&orders->strong, a, b) && communicates(x, orders, a, b)))
                model_relate(&order, a, b);
        }
    bool holds = model_relation_acyclic(&order);
    tr_arena_free(arena);
    return holds;
}

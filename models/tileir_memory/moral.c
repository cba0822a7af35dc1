/* A2: two accesses are morally strong when rpo orders them, or when each one's scope includes the
 * other's block. */
#include "tileir_memory/execution.h"

/* The half about scopes. Atomicity across widths is PTX's rule, taken over (D6): a partial overlap
 * is never strong. */
bool model_mutual_scope(ir_ordering oa, ir_scope sa, ir_ordering ob, ir_scope sb, bool same_block,
                        bool full_overlap)
{
    return full_overlap && model_scope_includes(oa, sa, same_block) &&
           model_scope_includes(ob, sb, same_block);
}

static bool is_strong(const model_execution *x, const model_orders *orders, size_t a, size_t b)
{
    if (!model_events_overlap(&x->events[a], &x->events[b]))
        return false;
    if (!x->choices.partial_overlap_strong &&
        !model_events_cover(&x->events[a], &x->events[b])) /* D6 */
        return false;
    return model_related(&orders->rpo, a, b) || model_related(&orders->rpo, b, a) ||
           (model_event_includes(x, a, b) && model_event_includes(x, b, a));
}

void model_strong(const model_execution *x, const model_orders *orders, model_relation *strong)
{
    model_relation_clear(strong);
    for (size_t a = 0; a < x->n_events; a++)
        for (size_t b = a + 1; b < x->n_events; b++)
            if (is_strong(x, orders, a, b)) {
                model_relate(strong, a, b);
                model_relate(strong, b, a);
            }
}

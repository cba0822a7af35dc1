/* A3: a race is a conflict (A1) that neither happens-before (D21) nor moral strength (A2) allows.
 */
#include "tileir_memory/execution.h"

bool model_race(model_access a, ir_ordering oa, ir_scope sa, model_access b, ir_ordering ob,
                ir_scope sb, bool same_block, bool full_overlap, bool token_ordered)
{
    /* D16: token order exists inside a block only. */
    bool ordered = same_block && token_ordered;
    return model_conflict(a, b) && !ordered &&
           !model_mutual_scope(oa, sa, ob, sb, same_block, full_overlap);
}

bool model_events_race(const model_execution *x, const model_orders *orders, size_t a, size_t b)
{
    return model_events_conflict(x, a, b) && !model_related(&orders->before, a, b) &&
           !model_related(&orders->before, b, a) && !model_related(&orders->strong, a, b);
}

bool model_find_race(const model_execution *x, const model_orders *orders, size_t *a, size_t *b)
{
    for (*a = 0; *a < x->n_events; (*a)++)
        for (*b = *a + 1; *b < x->n_events; (*b)++)
            if (model_events_race(x, orders, *a, *b))
                return true;
    return false;
}

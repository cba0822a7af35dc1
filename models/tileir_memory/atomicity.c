/* A5: no morally strong write comes, in coherence order, between the write that an atomic update
 * reads and the update. */
#include "tileir_memory/execution.h"

static bool comes_between(const model_execution *x, const model_orders *orders, size_t update,
                          size_t w)
{
    return model_related(&orders->strong, w, update) && model_reads_before(x, orders, update, w) &&
           model_related(&x->coherence, w, update);
}

bool model_atomicity_holds(const model_execution *x, const model_orders *orders)
{
    for (size_t u = 0; u < x->n_events; u++) {
        if (!x->events[u].leaves_value)
            continue;
        for (size_t w = 0; w < x->n_events; w++)
            if (comes_between(x, orders, u, w))
                return false;
    }
    return true;
}

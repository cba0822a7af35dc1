/* A4: two writes of a location are in coherence order when they are morally strong or one happens
 * before the other. A6: coherence agrees with happens-before. */
#include "tileir_memory/execution.h"

bool model_writes_ordered(const model_execution *x, const model_orders *orders, size_t a, size_t b)
{
    const model_event *e = &x->events[a], *f = &x->events[b];
    return a != b && e->leaves_value && f->leaves_value && model_events_overlap(e, f) &&
           (model_related(&orders->strong, a, b) || model_related(&orders->before, a, b) ||
            model_related(&orders->before, b, a));
}

bool model_coherence_holds(const model_execution *x, const model_orders *orders)
{
    for (size_t a = 0; a < x->n_events; a++)
        for (size_t b = a + 1; b < x->n_events; b++) {
            if (!model_writes_ordered(x, orders, a, b))
                continue;
            bool forth = model_related(&x->coherence, a, b);
            if (forth == model_related(&x->coherence, b, a))
                return false;
            if (x->choices.before_implies_coherence &&
                model_related(&orders->before, forth ? b : a, forth ? a : b))
                return false;
        }
    return true;
}

bool model_reads_before(const model_execution *x, const model_orders *orders, size_t r, size_t w)
{
    const model_event *read = &x->events[r], *write = &x->events[w];
    if (r == w || !write->leaves_value || !model_events_overlap(read, write))
        return false;
    for (uint32_t byte = 0; byte < read->width; byte++) {
        int64_t at = read->address + byte;
        uint32_t from = x->reads_from[r][byte];
        if (at < write->address || at >= write->address + write->width || from == MODEL_NOWHERE)
            continue;
        if (from == MODEL_INITIAL ||
            (model_writes_ordered(x, orders, from, w) && model_related(&x->coherence, from, w)))
            return true;
    }
    return false;
}

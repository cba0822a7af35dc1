/* A7: a read sees no write that happens after it, and none that a write before it had overwritten.
 * "Before" is happens-before, or PTX's wider causality: what a read observes by moral strength
 * comes before what happens after that read. */
#include "tileir_memory/execution.h"

#include <stdlib.h>
#include <string.h>

static void observe(const model_execution *x, const model_orders *orders, size_t write, size_t head,
                    bool *seen, model_relation *cause)
{
    if (seen[head])
        return;
    seen[head] = true;
    for (size_t e = 0; e < x->n_events; e++) {
        if (x->reads_from[e][0] != head || !model_related(&orders->strong, head, e))
            continue;
        for (size_t w = 0; w < cause->words; w++)
            cause->rows[write * cause->words + w] |= model_relation_row(&orders->before, e)[w];
        observe(x, orders, write, e, seen, cause); /* of what leaves no value nobody reads */
    }
}

void model_causality(const model_execution *x, const model_orders *orders, model_relation *cause)
{
    model_relation_copy(cause, &orders->before);
    if (!x->choices.observation_is_causal)
        return;
    bool *seen = calloc(x->n_events + 1, sizeof *seen);
    if (!seen)
        tr_no_memory();
    for (size_t w = 0; w < x->n_events; w++) {
        if (!x->events[w].leaves_value)
            continue;
        memset(seen, 0, x->n_events * sizeof *seen);
        observe(x, orders, w, w, seen, cause);
    }
    free(seen);
}

static bool reads_from_later(const model_execution *x, const model_orders *orders, size_t r)
{
    for (uint32_t byte = 0; byte < x->events[r].width; byte++) {
        uint32_t from = x->reads_from[r][byte];
        if (from < x->n_events && model_related(&orders->causality, r, from))
            return true;
    }
    return false;
}

bool model_causality_holds(const model_execution *x, const model_orders *orders)
{
    if (!x->choices.causality)
        return true;
    for (size_t r = 0; r < x->n_events; r++) {
        if (!(x->events[r].access & MODEL_READ))
            continue;
        if (reads_from_later(x, orders, r))
            return false;
        for (size_t w = 0; w < x->n_events; w++)
            if (model_related(&orders->causality, w, r) && model_reads_before(x, orders, r, w))
                return false;
    }
    return true;
}

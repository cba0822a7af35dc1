/* D18 to D20: which ops can be an end of a release/acquire pair, and which pairs are. */
#include "tileir_memory/execution.h"

#include <stdlib.h>
#include <string.h>

/* A reduction gives no value back, so nobody can tell what its read observed (D20). It is
 * recognised by its results rather than by name: atomics that return nothing but a token. */
static bool is_silent_atomic(const ir_op *op)
{
    return (ir_op_info_of(op->code)->effects & IR_ATOMIC) && op->n_results == 1;
}

bool model_would_release(const ir_op *op, ir_ordering ordering)
{
    model_access access;
    return model_access_of(op, &access) && (access & MODEL_WRITE) &&
           (ordering == IR_RELEASE || ordering == IR_ACQ_REL);
}

bool model_would_acquire(const ir_op *op, ir_ordering ordering)
{
    model_access access;
    return model_access_of(op, &access) && (access & MODEL_READ) && !is_silent_atomic(op) &&
           (ordering == IR_ACQUIRE || ordering == IR_ACQ_REL);
}

bool model_releases(const ir_op *op)
{
    return model_would_release(op, ir_memory_ordering(op));
}

bool model_acquires(const ir_op *op)
{
    return model_would_acquire(op, ir_memory_ordering(op));
}

bool model_event_releases(const model_event *e)
{
    return e->leaves_value && (e->ordering == IR_RELEASE || e->ordering == IR_ACQ_REL);
}

bool model_event_acquires(const model_event *e)
{
    return (e->access & MODEL_READ) && !e->silent &&
           (e->ordering == IR_ACQUIRE || e->ordering == IR_ACQ_REL);
}

/* D18: the read gives a value of the write's element, whole. D19: the two are morally strong. */
static bool observes(const model_execution *x, const model_orders *orders, size_t write,
                     size_t read)
{
    for (uint32_t byte = 0; byte < x->events[read].width; byte++)
        if (x->reads_from[read][byte] != write)
            return false;
    return model_related(&orders->strong, write, read);
}

static void spread(const model_execution *x, const model_orders *orders, size_t release,
                   size_t head, bool *reached, model_relation *sw);

/* Whoever reads what `head` left has observed the release; an atomic update passes it on (D20). An
 * acquire synchronises with the release only where these two are morally strong themselves (D19),
 * however widely what passed it on is scoped. */
static void observe(const model_execution *x, const model_orders *orders, size_t release,
                    size_t head, bool *reached, model_relation *sw)
{
    for (size_t e = 0; e < x->n_events; e++) {
        const model_event *reader = &x->events[e];
        if (!observes(x, orders, head, e))
            continue;
        if (model_event_acquires(reader) && model_related(&orders->strong, release, e))
            model_relate(sw, release, e);
        if (x->choices.rmw_chains) /* of what leaves no value nobody reads */
            spread(x, orders, release, e, reached, sw);
    }
}

static void spread(const model_execution *x, const model_orders *orders, size_t release,
                   size_t head, bool *reached, model_relation *sw)
{
    if (reached[head])
        return;
    reached[head] = true;
    observe(x, orders, release, head, reached, sw);
}

/* D20: PTX lets a later write of the releasing block stand for the release; here a token has to
 * order the two. */
static void spread_to_later_writes(const model_execution *x, const model_orders *orders,
                                   size_t release, bool *reached, model_relation *sw)
{
    for (size_t e = 0; e < x->n_events; e++)
        if (model_related(&orders->rpo, release, e) && x->events[e].leaves_value &&
            x->events[e].ordering != IR_WEAK && model_related(&orders->strong, release, e))
            spread(x, orders, release, e, reached, sw);
}

void model_synchronises(const model_execution *x, const model_orders *orders, model_relation *sw)
{
    bool *reached = calloc(x->n_events + 1, sizeof *reached);
    if (!reached)
        tr_no_memory();
    model_relation_clear(sw);
    for (size_t release = 0; release < x->n_events; release++) {
        if (!model_event_releases(&x->events[release]))
            continue;
        memset(reached, 0, x->n_events * sizeof *reached);
        spread(x, orders, release, release, reached, sw);
        if (x->choices.release_then_write)
            spread_to_later_writes(x, orders, release, reached, sw);
    }
    free(reached);
}

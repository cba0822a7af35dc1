/* D1, D4: an execution, and the orders that follow from it. */
#include "tileir_memory/execution.h"

model_execution *model_execution_new(tr_arena *arena, const model_choices *choices, size_t n_events,
                                     const model_event *events, size_t n_blocks,
                                     const model_block *blocks, size_t n_launches,
                                     const model_launch *launches)
{
    model_execution *x = TR_NEW(arena, model_execution);
    *x = (model_execution){
        .choices = *choices,
        .n_launches = n_launches,
        .n_blocks = n_blocks,
        .n_events = n_events,
        .launches = launches,
        .blocks = blocks,
        .events = events,
        .program_order = model_relation_new(arena, n_events),
        .waits_for = model_relation_new(arena, n_events),
        .dependency = model_relation_new(arena, n_events),
        .coherence = model_relation_new(arena, n_events),
    };
    x->reads_from = tr_arena_alloc(arena, (n_events + 1) * sizeof x->reads_from[0]);
    for (size_t e = 0; e < n_events; e++)
        for (size_t byte = 0; byte < MODEL_MAX_WIDTH; byte++)
            x->reads_from[e][byte] = MODEL_NOWHERE;
    return x;
}

model_orders model_orders_new(tr_arena *arena, size_t n_events)
{
    return (model_orders){
        .rpo = model_relation_new(arena, n_events),
        .strong = model_relation_new(arena, n_events),
        .launch = model_relation_new(arena, n_events),
        .synchronises = model_relation_new(arena, n_events),
        .before = model_relation_new(arena, n_events),
        .causality = model_relation_new(arena, n_events),
    };
}

void model_orders_of_program(const model_execution *x, model_orders *orders)
{
    model_rpo(x, &orders->rpo);
    model_strong(x, orders, &orders->strong);
    model_launch_order(x, &orders->launch);
}

void model_orders_of_reads(const model_execution *x, model_orders *orders)
{
    model_synchronises(x, orders, &orders->synchronises);
    model_happens_before(orders, &orders->before);
    model_causality(x, orders, &orders->causality);
}

/* D7, D8: which other tile blocks an op's scope includes. */
#include "tileir_memory/execution.h"

bool model_scope_includes(ir_ordering ordering, ir_scope scope, bool same_block)
{
    if (ordering ==
        IR_WEAK) /* D9: weak promises that nobody else is there, so it includes nobody */
        return false;
    switch (scope) {
    case IR_SCOPE_TL_BLK:
        return same_block;
    case IR_SCOPE_DEVICE:
    case IR_SCOPE_SYS:
        return true;
    case IR_SCOPE_NONE:
        break;
    }
    return false;
}

bool model_event_includes(const model_execution *x, size_t a, size_t b)
{
    const model_event *e = &x->events[a], *other = &x->events[b];
    if (x->blocks[e->block].device != x->blocks[other->block].device) /* D8: beyond the GPU */
        return e->ordering != IR_WEAK && e->scope == IR_SCOPE_SYS;
    return model_scope_includes(e->ordering, e->scope, e->block == other->block);
}

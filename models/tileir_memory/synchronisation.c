/* D18, D20: which ops can be an end of a release/acquire pair. */
#include "tileir_memory/model.h"

/* A reduction gives no value back, so nobody can tell what its read observed (D20). It is
 * recognised by its results rather than by name: atomics that return nothing but a token. */
static bool is_silent_atomic(const ir_op *op)
{
    return (ir_op_info_of(op->code)->effects & IR_ATOMIC) && op->n_results == 1;
}

bool model_releases(const ir_op *op)
{
    model_access access;
    if (!model_access_of(op, &access) || !(access & MODEL_WRITE))
        return false;
    ir_ordering ordering = ir_memory_ordering(op);
    return ordering == IR_RELEASE || ordering == IR_ACQ_REL;
}

bool model_acquires(const ir_op *op)
{
    model_access access;
    if (!model_access_of(op, &access) || !(access & MODEL_READ) || is_silent_atomic(op))
        return false;
    ir_ordering ordering = ir_memory_ordering(op);
    return ordering == IR_ACQUIRE || ordering == IR_ACQ_REL;
}

/* D1, D1': what an op does to each element it touches. */
#include "tileir_memory/model.h"

bool model_access_of(const ir_op *op, model_access *access)
{
    unsigned effects = ir_op_info_of(op->code)->effects;
    /* An atomic element is a read and a write tied together (D2), also one that compares and fails:
     * whether a failed compare-and-swap counts as a write is not published, so it may. */
    if (effects & IR_ATOMIC)
        *access = MODEL_UPDATE;
    else if ((effects & IR_READS) && (effects & IR_WRITES))
        *access = MODEL_UPDATE;
    else if (effects & IR_WRITES)
        *access = MODEL_WRITE;
    else if (effects & IR_READS)
        *access = MODEL_READ;
    else
        return false;
    return true;
}

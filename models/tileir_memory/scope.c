/* D7, D8: which other tile blocks of the same launch an op's scope includes. */
#include "tileir_memory/model.h"

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

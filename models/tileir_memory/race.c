/* A3: a race is a conflict that neither happens-before nor moral strength allows. */
#include "tileir_memory/model.h"

bool model_race(model_access a, ir_ordering oa, ir_scope sa, model_access b, ir_ordering ob,
                ir_scope sb, bool same_block, bool full_overlap, bool token_ordered)
{
    /* D16: token order exists inside a block only. */
    bool ordered = same_block && token_ordered;
    return model_conflict(a, b) && !ordered &&
           !model_mutual_scope(oa, sa, ob, sb, same_block, full_overlap);
}

/* A2, its half about scopes: moral strength of two accesses that no token orders. */
#include "tileir_memory/model.h"

/* Atomicity across widths is PTX's rule, taken over (D6): a partial overlap is never strong. */
bool model_mutual_scope(ir_ordering oa, ir_scope sa, ir_ordering ob, ir_scope sb, bool same_block,
                        bool full_overlap)
{
    return full_overlap && model_scope_includes(oa, sa, same_block) &&
           model_scope_includes(ob, sb, same_block);
}

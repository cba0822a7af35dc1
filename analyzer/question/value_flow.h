/* Finds which values are computed from which, through every way that the kernel may take. */
#ifndef QUESTION_VALUE_FLOW_H
#define QUESTION_VALUE_FLOW_H

#include "ir/ir.h"

/* Is `value` computed from `source`, however branches go and loops end? Of an op one operand is
 * enough; of a branch all of its ways, of a loop all of its ends and iterations. Linear in the ops
 * of the kernel for each loop that is passed, and again for each value that such a loop hands on
 * and that does not come from `source`. */
bool term_is_computed_from(tr_arena *arena, const ir_function *kernel, const ir_value *value,
                           const ir_value *source);

#endif

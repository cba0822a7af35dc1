/* Names of values between the files of this room. */
#ifndef IR_NAMES_H
#define IR_NAMES_H

#include "ir/ir.h"

/* "%0, %1 = " or "%for:2 = "; nothing for an op without results. */
void ir_print_results(tr_text *out, const ir_names *names, const ir_op *op);

#endif

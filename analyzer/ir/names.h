/* Names of values and places between the files of this room. */
#ifndef IR_NAMES_H
#define IR_NAMES_H

#include "ir/ir.h"

/* "%0, %1 = " or "%for:2 = "; nothing for an op without results. */
void ir_print_results(tr_text *out, const ir_names *names, const ir_op *op);

/* The module's places as #loc, #loc1, ...: numbered as MLIR does, those without parts first, then
 * call sites. Debug scopes are not kept in the IR and so not written. */
struct ir_locations *ir_locations_of(tr_arena *arena, const ir_module *module);
void ir_locations_free(struct ir_locations *locations);
void ir_print_location(tr_text *out, const struct ir_locations *locations, const tr_place *place);
void ir_print_location_list(tr_text *out, const struct ir_locations *locations);

#endif

/* Names that people know, out of a kernel's symbol. */
#ifndef BYTECODE_SYMBOL_H
#define BYTECODE_SYMBOL_H

#include "ir/ir.h"

/* Sets function->shown to the name in the source (C++ names demangled, cuTile Python's signature
 * cut off) and names the parameters: where a Python signature says that arguments form an array,
 * they become a0 (its pointer), a0_shape0, ..., a0_stride0, ... in the order of the flat arguments.
 * What the symbol does not say keeps its name. */
void symbol_name_parameters(ir_module *module, ir_function *function);

/* Is the parameter an extent of an array, as symbol_name_parameters names them? Then it is not
 * negative. */
bool symbol_is_extent(const ir_value *parameter);

#endif

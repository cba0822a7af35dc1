/* Reads a kernel's symbol for people. */
#ifndef BYTECODE_SYMBOL_H
#define BYTECODE_SYMBOL_H

#include "ir/ir.h"

/* Sets function->shown to the name in the source: C++ names demangled, cuTile Python's signature
 * cut off. What the symbol does not say stays as it is. */
void symbol_name_kernel(ir_module *module, ir_function *function);

/* cuTile Python: NAME_Kt<version>_<part>_<part>..., where a part that starts an array says its
 * rank; from `_Kt` on. NULL: the symbol is none of its. */
const char *symbol_python_signature(const ir_function *function);

#endif

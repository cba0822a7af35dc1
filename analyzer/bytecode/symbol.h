/* What a kernel's symbol tells people. */
#ifndef BYTECODE_SYMBOL_H
#define BYTECODE_SYMBOL_H

#include "contract/contract.h"
#include "ir/ir.h"

/* Sets function->shown to the name in the source: C++ names demangled, cuTile Python's signature
 * cut off. What the symbol does not say stays as it is. */
void symbol_name_kernel(ir_module *module, ir_function *function);

/* Which of the function's parameters form an array, as a cuTile Python signature says; extents of
 * an array are not negative. `members`: one a parameter, zero before. */
void symbol_find_arrays(const ir_function *function, contract_member *members);

#endif

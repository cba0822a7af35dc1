/* Finds which of a kernel's parameters form an array: a module says it in the way of its front
 * end. */
#ifndef BYTECODE_ARRAYS_H
#define BYTECODE_ARRAYS_H

#include "contract/contract.h"
#include "ir/ir.h"

/* Extents of an array are not negative, and an array does not overlap itself. `members`: one a
 * parameter, zero before. */
void arrays_find(const ir_function *function, contract_member *members);

enum { ARRAYS_NO_PARAMETER = UINT32_MAX };
/* Number of the parameter that the value is, with what the kernel assumes of it left out. */
uint32_t arrays_parameter(const ir_function *function, const ir_value *value);

#endif

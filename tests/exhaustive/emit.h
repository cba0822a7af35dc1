/* A kernel of the grammar as a module with its contract. */
#ifndef EXHAUSTIVE_EMIT_H
#define EXHAUSTIVE_EMIT_H

#include "grammar.h"

#include "contract/contract.h"
#include "ir/ir.h"

typedef struct kernel {
    ir_module *module;
    const ir_function *function;
    contract *contract; /* settled */
} kernel;

kernel kernel_make(smt_ctx *ctx, const grammar *g, const shape *s);
void kernel_free(kernel *k);

#endif

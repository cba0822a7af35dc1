/* C tile dialect source -> tile IR and one contract per kernel, by libclang. */
#ifndef DIALECT_H
#define DIALECT_H

#include "contract/contract.h"
#include "ir/ir.h"

typedef struct dialect_options {
    size_t n_clang_args;
    const char *const *clang_args; /* the user's: -D, -I, -std, ... */
    const char *include_folder;    /* where tile.h is; NULL: found beside the program or source */
} dialect_options;

typedef struct dialect_unit {
    ir_module *module; /* owned by the caller: ir_module_free */
    size_t n_kernels;
    const ir_function **kernels; /* module order */
    contract **contracts;        /* one per kernel; terms of the context given */
} dialect_unit;

/* False, with errors (place, sentence, hint), when the source is not C, uses what the dialect
 * cannot mean or holds no kernel. `arena` owns the unit's arrays and the contracts. */
bool dialect_read(tr_arena *arena, smt_ctx *ctx, const char *path, const dialect_options *options,
                  dialect_unit *unit, tr_errors *errors);

/* Is what reads C sources at hand? False, with *why. */
bool dialect_can_read(const char **why);

#endif

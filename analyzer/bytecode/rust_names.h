/* Finds the names that the author of a kernel in cuTile Rust gave its parameters. No module has the
 * names: a tensor is a pointer, extents and strides there, in the order of the function's
 * parameters. Its source has them, and debug information (cuTile Rust 0.5) says where that is. */
#ifndef BYTECODE_RUST_NAMES_H
#define BYTECODE_RUST_NAMES_H

#include "ir/ir.h"

typedef struct rust_kernel {
    const char *name; /* of the function */
    tr_place place;   /* of its name */
    size_t n;
    const char *const *parameters; /* one for each of the kernel: "x", "x.shape[0]", ... */
} rust_kernel;

/* The entry's symbol is the function's name with "_entry" behind it. The source is the one at the
 * kernel's place. Where the module has no places, it is looked for among the sources of the package
 * `folder`, and then of its workspace; NULL: nowhere. Regular files of bounded sizes are read, up
 * to a bounded number, and nothing is executed. NULL where the kernel is none of cuTile Rust, the
 * source is not found, its function does not fit the kernel's parameters, or several functions fit.
 * In the arena. */
const rust_kernel *rust_names_find(tr_arena *arena, const ir_function *function,
                                   const char *folder);

#endif

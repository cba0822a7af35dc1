/* Signatures of kernels in a source of cuTile Rust. */
#ifndef BYTECODE_RUST_SIGNATURE_H
#define BYTECODE_RUST_SIGNATURE_H

#include "base/base.h"

typedef enum rust_type {
    RUST_SCALAR,         /* or what cannot be told from one by its text */
    RUST_POINTER,        /* *mut T, *const T */
    RUST_TENSOR,         /* a reference: &Tensor<...> */
    RUST_TENSOR_WRITTEN, /* &mut Tensor<...>, MappedPartitionMut<...> */
} rust_type;

typedef struct rust_parameter {
    const char *name;
    rust_type type;
} rust_parameter;

typedef struct rust_signature {
    uint32_t line, column; /* of the function's name, from 1 */
    size_t n;
    const rust_parameter *parameters;
} rust_signature;

/* The functions called `name` that the text holds, as far as their parameters are plain names, in
 * the arena; returns how many. `entries_only`: those with an attribute `entry`, as in
 * #[cutile::entry()]. Any text is safe to give. */
size_t rust_signatures_read(tr_arena *arena, const char *text, size_t length, const char *name,
                            bool entries_only, const rust_signature **list);

#endif

/* CUDA Tile IR bytecode <-> IR, versions 13.1 to 13.5.
 *
 * The format is that of NVIDIA's cuda_tile dialect: a header, then sections for strings, functions,
 * debug records, constants, types, globals and the producer's name. Ops are laid out as the columns
 * of ir/ops.def say. */
#ifndef BYTECODE_H
#define BYTECODE_H

#include "ir/ir.h"

enum { BYTECODE_NEWEST_READ = 5, BYTECODE_NEWEST_WRITTEN = 4 }; /* 13.x */

/* True when the bytes start with the bytecode's magic number. */
bool bytecode_is(const unsigned char *data, size_t size);

/* The module in `size` bytes, verified; `path` is the name that errors give to them. NULL and one
 * error that says what is wrong and, as "at byte N", where: nothing is ever half read. Memory is at
 * most a fixed multiple of `size`. Keeps no reference to `data`. Functions and globals stand in the
 * order of the file; `shown` is the symbol. */
tr_give ir_module *bytecode_read(const unsigned char *data, size_t size, const char *path,
                                 tr_errors *errors);

#endif

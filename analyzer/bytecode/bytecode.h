/* CUDA Tile IR bytecode <-> IR, versions 13.1 to 13.5.
 *
 * The format is that of NVIDIA's cuda_tile dialect: a header, then sections for strings, functions,
 * debug records, constants, types, globals and the producer's name. Ops are laid out as the columns
 * of ir/ops.def say. */
#ifndef BYTECODE_H
#define BYTECODE_H

#include "ir/ir.h"

enum { BYTECODE_NEWEST_READ = 5, BYTECODE_NEWEST_WRITTEN = 4 }; /* 13.x */
enum { BYTECODE_MEMORY = 256, BYTECODE_MEMORY_ANYHOW = 1 << 16 };

/* True when the bytes start with the bytecode's magic number. */
bool bytecode_is(const unsigned char *data, size_t size);
/* Are the bytes the beginning of the magic number, cut off inside it? */
bool bytecode_begins(const unsigned char *data, size_t size);

/* Bytes of the module that begins there, by the lengths of its sections; 0: it does not end within
 * `size`. */
size_t bytecode_length(const unsigned char *data, size_t size);

/* The module in `size` bytes, verified; `path` is the name that errors give to them. NULL and an
 * error that says what is wrong and, as "at byte N", where, or what the verifier says: nothing is
 * ever half read. A module that would take more than BYTECODE_MEMORY bytes for each of its file's
 * (real ones take 10 to 30) is refused, so that no count in a file can ask for more. Keeps no
 * reference to `data`. Functions and globals stand in the order of the file; `shown` is the symbol.
 */
tr_give ir_module *bytecode_read(const unsigned char *data, size_t size, const char *path,
                                 tr_errors *errors);

/* Like bytecode_read(), for who looks at kernels and makes nothing of them: also of versions after
 * 13.5, as far as it is understood. A kernel with ops, attributes or types that are not is there
 * with its parameters and `unread`; what is outside of kernels has to be understood. */
tr_give ir_module *bytecode_read_known(const unsigned char *data, size_t size, const char *path,
                                       tr_errors *errors);

/* The bytecode of an entry of a fat binary, as it is or compressed by Zstandard or LZ4, in memory
 * that the caller free()s. NULL: the bytes are no entry with Tile IR, its sizes do not fit, or
 * there is no memory. The result may still be no bytecode. */
unsigned char *bytecode_unpack(const unsigned char *entry, size_t size, size_t *unpacked);

/* Version 13.`minor` bytecode of a verified module, in memory that the caller free()s. False, with
 * errors, when the module has something that this version cannot say (an op, type or attribute that
 * came later); a producer's name is left out before 13.3. Places become debug records: the kernel
 * gets a subprogram of its own symbol, inlined code one named as its place says, call sites are
 * kept. */
bool bytecode_write(const ir_module *module, uint8_t minor, unsigned char **data, size_t *size,
                    tr_errors *errors);

#endif

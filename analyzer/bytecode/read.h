/* Declarations that the files of the reader share. */
#ifndef BYTECODE_READ_H
#define BYTECODE_READ_H

#include "bytecode/bytecode.h"
#include "bytecode/format.h"

/* A part of the file being read: offsets count from the start of the file, so that an error can
 * name them. */
typedef struct bc_cursor {
    size_t start, at, end;
} bc_cursor;

/* A table of entries of different lengths: entry i is [at[i], at[i + 1]) of the file. */
typedef struct bc_table {
    uint64_t count;
    size_t *at; /* count + 1 offsets, in the scratch arena */
} bc_table;

typedef struct bc_debug {
    bc_table attrs;
    struct bc_debug_attr *read; /* one an entry */
    uint64_t n_functions, n_indices;
    size_t function_starts; /* offset in the file: u32 each */
    size_t indices;         /* offset in the file: u64 each */
} bc_debug;

/* The debug records of one function's ops, in order. */
typedef struct bc_places {
    bool known; /* false: the function has none */
    uint64_t next, end;
} bc_places;

typedef struct bc_reader {
    const unsigned char *data;
    size_t size;
    const char *path;
    tr_errors *errors;
    bool failed; /* sticky: one error is enough, and everything behind it reads as 0 */
    uint8_t
        minor; /* whose rules are followed: the newest that is known, where the file's is newer */
    bool is_preview, is_lenient;
    ir_module *module;
    tr_arena *scratch; /* dies with the read */
    bc_table strings, types, constants;
    const char **string_copies; /* in the module, by number; NULL: not asked for yet */
    const ir_type **read_types; /* by number; NULL: not read yet */
    bool *types_in_progress;
    const unsigned char *constant_copy; /* in the module */
    uint16_t *constant_splats;          /* by number: see read_tables.c */
    uint64_t constant_uses;             /* bytes of all uses of constants that are no splats */
    size_t constant_copy_at;            /* file offset of its first byte */
    bc_debug debug;
    int region_depth, attr_depth, type_depth, place_depth; /* of what is read inside each other */
    int16_t opcode_of[256]; /* op of a bytecode number below 256; -1: none */
    ir_value **values;      /* stb_ds: the values in scope, as operands number them */
    ir_value **operands;    /* stb_ds: scratch of one op */
} bc_reader;

/* ---- cursor.c: each reads from the cursor's place; 0 and an error when there is not enough ----
 */

void bc_fail(bc_reader *r, size_t offset, const char *format, ...) TR_PRINTF(3, 4);
bc_cursor bc_range(size_t start, size_t end);
uint8_t bc_byte(bc_reader *r, bc_cursor *c, const char *what);
uint64_t bc_little(bc_reader *r, bc_cursor *c, unsigned bytes, const char *what);
uint64_t bc_varint(bc_reader *r, bc_cursor *c, const char *what);
int64_t bc_signed_varint(bc_reader *r, bc_cursor *c, const char *what);
/* A number of things that take at least `item_bytes` each: fails when they cannot all be there, so
 * that no count can ask for more memory than the file has bytes. */
uint64_t bc_count(bc_reader *r, bc_cursor *c, size_t item_bytes, const char *what);
/* Little-endian signed numbers behind a count; an array in the scratch arena. */
int64_t *bc_numbers(bc_reader *r, bc_cursor *c, unsigned bytes, uint64_t *count, const char *what);
void bc_align(bc_reader *r, bc_cursor *c, size_t alignment, const char *what);
/* Fails when something is left. */
void bc_expect_end(bc_reader *r, const bc_cursor *c, const char *what);
/* Fails when the module, with `more` bytes that are about to be allocated, takes too much memory.
 */
bool bc_afford(bc_reader *r, size_t offset, uint64_t more);
/* Goes one level deeper; false and an error when that is too deep. The caller counts down again. */
bool bc_enter(bc_reader *r, int *depth, size_t offset, int limit, const char *what);

/* ---- read_tables.c ---- */

/* A count, then offsets of `width` bytes each behind padding to that width, then the entries. */
bc_table bc_read_table(bc_reader *r, bc_cursor *c, unsigned width, const char *what);
const char *bc_string(bc_reader *r, bc_cursor *c, const char *what);
void bc_read_constants(bc_reader *r, bc_cursor *c);
/* Constant number at the cursor as data of `type`. */
ir_attr bc_dense(bc_reader *r, bc_cursor *c, const ir_type *type);

/* ---- read_types.c ---- */

void bc_read_types(bc_reader *r, bc_cursor *c);
/* The type whose number stands at the cursor; NULL and an error when there is none. */
const ir_type *bc_type(bc_reader *r, bc_cursor *c, const char *what);

/* ---- read_attrs.c ---- */

/* An attribute of an op as its column says; `type` is the type of the op's first result or NULL. */
ir_attr bc_attr(bc_reader *r, bc_cursor *c, const ir_attr_info *info, const ir_type *type);
/* An attribute that says itself what it is. */
ir_attr bc_tagged_attr(bc_reader *r, bc_cursor *c);

/* ---- read_debug.c ---- */

void bc_read_debug(bc_reader *r, bc_cursor *c);
/* The records of the function whose number stands at the cursor. */
bc_places bc_places_of(bc_reader *r, bc_cursor *c);
/* The next op's place, or NULL where none is known; `offset` is the op's, for errors. */
const tr_place *bc_next_place(bc_reader *r, bc_places *places, size_t offset);

/* ---- read_ops.c ---- */

/* The function's body in the cursor: ops up to its end. */
void bc_read_body(bc_reader *r, bc_cursor *c, ir_function *function, bc_places *places);

#endif

/* Declarations that the files of the writer share. */
#ifndef BYTECODE_WRITE_H
#define BYTECODE_WRITE_H

#include "bytecode/bytecode.h"
#include "bytecode/format.h"

/* Bytes that grow. */
typedef struct bc_out {
    unsigned char *data; /* malloc'd */
    size_t size, capacity;
} bc_out;

/* A table of byte strings without doubles, numbered as they come. */
typedef struct bc_pool {
    bc_out bytes;
    size_t *ends;    /* stb_ds: entry i ends here in `bytes` */
    uint32_t *slots; /* hash table of entry numbers plus one; 0: free */
    size_t n_slots;
} bc_pool;

typedef struct bc_type_number {
    const ir_type *key;
    uint32_t value;
} bc_type_number;

typedef struct bc_writer {
    const ir_module *module;
    uint8_t minor;
    tr_errors *errors;
    bool failed; /* sticky */
    tr_arena *scratch;
    bc_pool strings, types, constants, records;
    bc_type_number *type_numbers; /* stb_ds */
    /* Debug: the numbers of all functions' records one after the other, and where each starts. */
    uint64_t *record_numbers;  /* stb_ds */
    uint32_t *function_starts; /* stb_ds */
    /* State of the function that is being written. */
    uint64_t subprogram, compile_unit; /* its records; 0: it has none */
    uint32_t *numbers; /* by value id: the number that operands use, plus one; 0: not in scope */
    uint32_t next_number;
} bc_writer;

/* ---- out.c ---- */

void bc_write_fail(bc_writer *w, const tr_place *place, const char *format, ...) TR_PRINTF(3, 4);
/* True when version 13.`since` is written; else an error that names what needs it. */
bool bc_write_since(bc_writer *w, uint8_t since, const tr_place *place, const char *what,
                    const char *name);
void bc_put(bc_out *out, const void *bytes, size_t size);
void bc_put_byte(bc_out *out, unsigned byte);
void bc_put_little(bc_out *out, uint64_t value, unsigned bytes);
void bc_put_varint(bc_out *out, uint64_t value);
void bc_put_signed_varint(bc_out *out, int64_t value);
void bc_put_align(bc_out *out, size_t alignment);
void bc_out_free(bc_out *out);
/* Number of the entry with these bytes. */
uint32_t bc_pool_number(bc_pool *pool, const void *bytes, size_t size);
size_t bc_pool_count(const bc_pool *pool);
/* Count, offsets of `width` bytes, entries: what bc_read_table reads. */
void bc_put_pool(bc_out *out, const bc_pool *pool, unsigned width);
void bc_pool_free(bc_pool *pool);

/* ---- write_types.c ---- */

void bc_put_type(bc_writer *w, bc_out *out, const ir_type *type);

/* ---- write_attrs.c ---- */

void bc_put_string(bc_writer *w, bc_out *out, const char *string);
void bc_put_dense(bc_writer *w, bc_out *out, const ir_attr *attr);
/* An attribute of `op` as its column says. */
void bc_put_attr(bc_writer *w, bc_out *out, const ir_op *op, unsigned index);
void bc_put_tagged_hints(bc_writer *w, bc_out *out, const ir_attr *hints);
/* Whether an optional attribute is there; false for those that are not optional. */
bool bc_attr_is_set(const ir_attr_info *info, const ir_attr *attr);

/* ---- write_debug.c ---- */

/* Starts a function's records, with the function's own; returns what stands in the function table.
 */
uint64_t bc_start_records(bc_writer *w, const ir_function *function);
void bc_put_record(bc_writer *w, const tr_place *place);
void bc_put_debug_section(bc_writer *w, bc_out *out);

/* ---- write_ops.c ---- */

void bc_put_body(bc_writer *w, bc_out *out, const ir_function *function);

#endif

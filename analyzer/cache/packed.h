/* Packs the result of checking one input into bytes: for the cache, and for the pipe of a worker.
 *
 * packed.def says what is carried, a row a member. Terms are not: what is read back can be printed
 * in every format and counted, and no guard can be made of it. The bytes begin with a version,
 * which is made of the table itself, and their length; reading them never trusts a count. */
#ifndef CACHE_PACKED_H
#define CACHE_PACKED_H

#include "verdict/findings.h"

typedef struct checked_kernel { /* what launches of a file name kernels by */
    const char *symbol;
    const char *shown;
    bool is_only_entry;
} checked_kernel;

typedef struct checked_input {
    input_report report;
    const char *solver;  /* what it called itself; NULL: it was asked nothing */
    const char *failure; /* why the command fails, whatever was found: the solver's answers are not
                            taken, or obligations could not be kept; or NULL */
    size_t n_kernels;    /* of its module, once each */
    checked_kernel *kernels;
} checked_input;

/* Changes when the table does. */
uint64_t packed_version(void);

/* Appends the packed form. False where the input is beyond what the reader takes: nothing is
 * appended then. */
bool packed_write(tr_text *out, const checked_input *input);
/* How many of the bytes are the packed form that begins there; 0: it is not whole. */
size_t packed_length(const void *bytes, size_t length);
/* Reads it into the arena, which need not keep `bytes`. False where the bytes are not whole, of
 * another version or not what the writer writes; *input is empty then. */
bool packed_read(tr_arena *arena, const void *bytes, size_t length, checked_input *input);

/* ---- Section: The table, for what tests that it is complete ---- */

typedef enum packed_kind {
    PACKED_TEXT,
    PACKED_WORDS,
    PACKED_CHARS,
    PACKED_U32,
    PACKED_BOOL,
    PACKED_I64,
    PACKED_DOUBLE,
    PACKED_INT,
    PACKED_ENUM,
    PACKED_I64S,
    PACKED_TEXTS_IN,
    PACKED_COUNT,
    PACKED_SIZE,
    PACKED_TEXT_LIST,
    PACKED_I64_LIST,
    PACKED_SIZE_LIST,
    PACKED_DOUBLE_LIST,
    PACKED_LIST,
    PACKED_ONE,
    PACKED_IN,
    PACKED_IN_ARRAY,
    PACKED_LEFT,
} packed_kind;

typedef struct packed_type packed_type;

typedef struct packed_field {
    packed_kind kind;
    const char *name;
    size_t offset;
    size_t size;             /* of the member */
    size_t count;            /* of a list: where its count is; of an array: how many it has */
    int64_t least, most;     /* of a number */
    const packed_type *type; /* of a struct */
} packed_field;

struct packed_type {
    const char *name;
    size_t size, n;
    const packed_field *fields;
};

/* The table of checked_input, and so of all. Tests hold it to the types. */
const packed_type *packed_table(void);

#endif

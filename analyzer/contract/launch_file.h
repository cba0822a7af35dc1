/* Launch-contract files: JSON of version 1 or 2 -> contracts. docs/contract.schema.json is their
 * schema. */
#ifndef CONTRACT_LAUNCH_FILE_H
#define CONTRACT_LAUNCH_FILE_H

#include "contract/contract.h"

typedef struct launch_file launch_file;

/* The kind of element that a pointer parameter points to. */
typedef enum launch_element {
    LAUNCH_ELEMENT_UNKNOWN,
    LAUNCH_ELEMENT_INTEGER,
    LAUNCH_ELEMENT_FLOAT,
    LAUNCH_ELEMENT_POINTER,
} launch_element;

typedef struct launch_param { /* one parameter of a kernel, as its module has it */
    /* The name that the module itself states, which the file may not contradict. NULL: the file
     * names it; else it is called a0, a0_shape0, a0_stride0, ... in an array, arg0, arg1, ...
     * outside. */
    const char *name;
    contract_arg_kind kind;
    int bits; /* scalar */
    bool is_signed;
    launch_element element;   /* pointer */
    const char *element_type; /* pointer: "f32", as `dtype` has it; NULL: unknown */
    int element_bytes;        /* pointer; 0: unknown, then extents in bytes cannot be used */
    contract_member member;
    const char *suggested; /* by the author's source; NULL: none. The file's name goes before it,
                              and the one that is made up without it is understood, too */
} launch_param;

typedef struct launch_kernel { /* what the file is read against */
    const char *symbol;
    const char *shown;  /* demangled name, parameters allowed behind it */
    bool is_only_entry; /* of its module: launches without `kernel` mean it */
    size_t n_params;
    const launch_param *params;
} launch_kernel;

/* Reads a file and checks its form (JSON, version, keys, types of values); NULL with errors. */
tr_give launch_file *launch_file_read(tr_arena *arena, const char *path, tr_errors *errors);
tr_give launch_file *launch_file_parse(tr_arena *arena, const char *shown_path, const char *text,
                                       size_t length, tr_errors *errors);
void launch_file_free(tr_take launch_file *file);
/* Makes `fill` of integer buffers a fact on their contents in all contracts made from the file
 * after this call: the launches are filled so, and the kernel need not be right for others. */
void launch_file_take_fills(launch_file *file);

/* False, with errors, when a launch names a kernel that is none of these. */
bool launch_file_check_kernels(const launch_file *file, size_t n, const launch_kernel *kernels,
                               tr_errors *errors);
/* How many launches the file states for the kernel: alternatives, each checked by itself. */
size_t launch_file_count(const launch_file *file, const launch_kernel *kernel);
/* Contract of the `which`-th of them, not settled yet (contract_settle_ranges). `stated`: what the
 * kernel's source states, to which the file may only add; NULL: nothing. It is copied, not changed,
 * and must not be settled. NULL with errors where an expression cannot be read, the file does not
 * fit the parameters, or contradicts `stated`. contract_free() the result. */
tr_give contract *launch_file_contract(smt_ctx *ctx, const launch_file *file,
                                       const launch_kernel *kernel, const contract *stated,
                                       size_t which, tr_errors *errors);
/* The text of that launch in the file: a JSON object, in the arena that the file was read into. */
const char *launch_file_text(const launch_file *file, const launch_kernel *kernel, size_t which);
/* A contract that states nothing but the parameters: for a kernel without source or file. */
tr_give contract *launch_default_contract(smt_ctx *ctx, const launch_kernel *kernel);

/* "nan", "inf" and "-inf": values of float scalars that JSON has no numbers for. */
bool launch_special_number(const char *word, double *number);

/* ---- Section: The keys, as a table (launch_keys.def) ---- */

typedef enum launch_value { /* bits */
                            LAUNCH_INTEGER_VALUE = 1,
                            LAUNCH_NUMBER_VALUE = 2,
                            LAUNCH_STRING_VALUE = 4,
                            LAUNCH_BOOLEAN_VALUE = 8,
                            LAUNCH_OBJECT_VALUE = 16,
                            LAUNCH_ARRAY_VALUE = 32,
} launch_value;

typedef enum launch_object {
    LAUNCH_FILE,
    LAUNCH_LAUNCH,
    LAUNCH_ARG,
    LAUNCH_ENTRY,
    LAUNCH_CONTENTS,
    LAUNCH_VIEW,
    LAUNCH_SOURCE,
    LAUNCH_PREDECESSOR,
    LAUNCH_TOUCHED,
    LAUNCH_FILL,
    LAUNCH_REFERENCE,
    LAUNCH_OBJECT_COUNT,
} launch_object;

typedef struct launch_key {
    launch_object object;
    const char *key;
    unsigned values; /* launch_value bits */
    bool run_only;   /* of no meaning to the checker */
    int since;       /* the first version of the file that has it */
} launch_key;

enum { LAUNCH_FILE_VERSION = 2 }; /* the latest one that is read */

const launch_key *launch_keys(size_t *count);
/* Its name in the schema's $defs, which tests hold the keys to. */
const char *launch_object_name(launch_object object);

#endif

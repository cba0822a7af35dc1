/* What the host guarantees when it launches a kernel: facts, from the kernel's source or a file.
 *
 * Scalars are mathematical integers. The parameters of a kernel are the variables contract_param()
 * makes, the grid's extents those of contract_grid(); every later room uses the same variables, so a
 * fact of the contract needs no translation. */
#ifndef CONTRACT_H
#define CONTRACT_H

#include "smt/term.h"

typedef enum contract_source { CONTRACT_NONE, CONTRACT_SOURCE, CONTRACT_FILE } contract_source;

typedef enum contract_arg_kind { CONTRACT_SCALAR, CONTRACT_POINTER, CONTRACT_FLOAT } contract_arg_kind;

/* Facts on the contents of one integer buffer at launch. In `value_*` terms the variables
 * contract_value() and contract_index() stand for the element and its index. */
typedef struct contract_contents {
    bool unique;         /* no two elements equal */
    smt_t unique_when;   /* ... among those for which this holds; NULL: all */
    bool increasing;     /* non-decreasing */
    smt_t min, max;      /* of every element; NULL: nothing known. They may use contract_index() */
    int prefix_sum_of;   /* argument number, or -1 */
    smt_t regions;       /* table of pointers: bytes of each region; or NULL */
} contract_contents;

typedef enum contract_covered { CONTRACT_NOT_COVERED, CONTRACT_COVERED_ALL, CONTRACT_COVERED_ONCE } contract_covered;

typedef struct contract_arg {
    const char *name;        /* the name that expressions use */
    contract_arg_kind kind;
    int bits;                /* scalar: width of its type */
    bool is_signed;
    /* pointer */
    const char *buffer;      /* allocation: equal names may overlap anywhere, others never */
    bool buffer_stated;      /* the contract says so; else it is the default */
    smt_t elements;          /* extent from this pointer on, in elements; NULL: unknown */
    smt_t offset;            /* element offset into the buffer; NULL: unknown when shared, else 0 */
    contract_contents contents;
    contract_covered covered;
    const tr_place *place;   /* where its extent or aliasing is stated; or NULL */
} contract_arg;

typedef struct contract_fact {
    smt_t term;              /* boolean, over parameters and grid extents */
    const char *text;        /* as the user wrote it */
    const tr_place *place;   /* or NULL */
} contract_fact;

typedef struct contract {
    contract_source source;
    const char *kernel;
    smt_t grid[3];           /* extents as terms; NULL: not stated for that axis */
    size_t n_args;
    contract_arg *args;      /* one per kernel parameter, in order */
    contract_fact *facts;    /* stb_ds array: assume statements, bounds of scalars */
} contract;

/* An empty contract for a kernel of n arguments (all fields of `args` zero but prefix_sum_of). */
contract *contract_new(smt_ctx *ctx, const char *kernel, size_t n_args);
void contract_add_fact(contract *c, smt_t term, const char *text, const tr_place *place);

/* Variable of scalar parameter number i, ranged by its type (and by constant bounds among the facts
 * when contract_settle_ranges was called before the variable's first use). */
smt_t contract_param(smt_ctx *ctx, const contract *c, size_t i);
/* Extent of grid axis 0..2 as a variable "grid.x"; range 1 .. 2^24-1. */
smt_t contract_grid(smt_ctx *ctx, int axis);
smt_t contract_value(smt_ctx *ctx); /* the element in a contents expression */
smt_t contract_index(smt_ctx *ctx); /* its index */

#endif

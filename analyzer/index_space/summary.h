/* The access summary: which op touches which elements, when, and in what way. It is the heart of
 * the checker.
 *
 * One symbolic tile block walks the kernel once. Every memory operation that it meets becomes an
 * access whose parts are terms over
 *   - the launch: contract_param() and contract_grid() variables, launch-time contents
 *     (applications of the functions of summary_contents_of()), the same for all blocks;
 *   - the block: summary->block_id[] and everything summary_private() says, one set per block;
 *   - the loop counters of the loops around it (ix_loop.counter, 0-based);
 *   - the in-tile coordinate: ix_coordinate(ctx, d, extent), 0 <= e < extent.
 * A rule makes two copies of an access and renames what each copy has of its own.
 *
 * What cannot be followed is never dropped: it becomes an access with `unknown` set, which
 * conflicts with everything on its buffer (or on all, allocation -1). */
#ifndef INDEX_SPACE_SUMMARY_H
#define INDEX_SPACE_SUMMARY_H

#include "contract/contract.h"
#include "contract/tables.h"
#include "ir/ir.h"

#define IX_MAX_LOOPS 16 /* loops nested deeper make their accesses unknown */

typedef struct ix_loop {
    const ir_op *op;
    const struct ix_loop *outer; /* or NULL */
    int depth;                   /* 0: outermost */
    smt_t counter;               /* how many iterations came before */
    smt_t last;                  /* counter of the last iteration, where it is known; or NULL */
    smt_t entered;               /* the path that leads to the loop */
    smt_t unsigned_value; /* the unsigned number that a loop counts and compares, where it may be
                             beyond its type's signed range; else NULL */
    smt_t goes_on; /* for a loop that only a break leaves: the path and facts at the end of an
                      iteration that another one follows; NULL: the loop is certain to end */
} ix_loop;

typedef enum ix_space {
    IX_ARGUMENT, /* allocated by the host */
    IX_GLOBAL,   /* module global: one object for all blocks */
    IX_ALLOCA,   /* private to the block */
    IX_REGIONS,  /* the arrays that the pointers in a table address: a region each, told apart by
                    ix_access.region; that they overlap nothing is stated by the contract or required
                  */
} ix_space;

/* Regions lie that far apart in their allocation, so that a byte offset tells them apart too.
 * Larger than any address space: an offset that goes from one to the next leaves its region before.
 */
#define IX_REGION_DISTANCE ((smt_int)1 << 50)

typedef struct ix_allocation { /* what addresses are relative to; different ones never overlap */
    ix_space space;
    const char *name; /* the contract's buffer name, the global's name */
    int first_arg;    /* a pointer argument of it, or -1 */
    bool written;     /* some op of the kernel may write it */
    bool shared;      /* alloca: its address may be used by other blocks */
    int table;        /* regions: the allocation that holds the pointers */
} ix_allocation;

/* A tensor view: elements at bytes + width * sum(coordinate[d] * stride[d]), coordinate < shape. */
typedef struct ix_tensor {
    int allocation; /* -1: unknown */
    int arg;        /* the pointer argument it was made of, or -1 */
    smt_t region;   /* of IX_REGIONS: number of the table's element; else NULL */
    smt_t bytes;    /* byte offset of element 0 in the allocation */
    int width;      /* bytes per element */
    int rank;
    smt_t shape[IR_MAX_RANK], stride[IR_MAX_RANK];
    const ir_op *op; /* the make_tensor_view */
} ix_tensor;

typedef enum ix_change { /* what a write makes of an integer element */
                         IX_CHANGE_UNKNOWN,
                         IX_CHANGE_PUT,  /* put: stores, exchanges */
                         IX_CHANGE_SWAP, /* put where it was compare, else nothing */
                         IX_CHANGE_ADD,  /* got + put, wrapping */
                         IX_CHANGE_MAX,  /* max(got, put), signed */
                         IX_CHANGE_OR,   /* got | put */
} ix_change;

typedef struct ix_access {
    const ir_op *op;
    uint32_t number; /* position in summary->accesses */
    bool reads, writes, atomic;
    ir_ordering ordering;
    ir_scope scope;
    smt_t path;     /* when: branches and loop bounds that lead here */
    smt_t facts;    /* what holds here besides: assume ops, ranges of loop exits */
    smt_t unbroken; /* those of the facts that say that no iteration before left the loop by a break
                       behind this access; NULL: none */
    smt_t assumed;  /* conditions that hold unless something before was undefined: for later bounds
                       only */
    size_t n_loops;
    const ix_loop *loops[IX_MAX_LOOPS]; /* outermost first */
    int rank;                           /* of the tile */
    int64_t tile[IR_MAX_RANK];
    smt_t mask;     /* of the element at the in-tile coordinate: mask operand, view bounds */
    int allocation; /* -1: could be any */
    int arg;        /* the pointer argument its address comes from, or -1 */
    int width;      /* bytes per element */
    smt_t region;   /* of IX_REGIONS: number of the table's element; else NULL */
    smt_t bytes;    /* byte offset in the allocation */
    smt_t half;     /* for 4-bit elements, two to a byte: which of the two; else NULL */
    const ix_tensor *tensor;       /* view ops: NULL for pointer tiles and 4-bit elements */
    smt_t coordinate[IR_MAX_RANK]; /* view ops: in the tensor */
    int n_index;                   /* view ops: index operands that are scalars or, gather, tiles */
    smt_t index[IR_MAX_RANK];
    smt_t index_end[IR_MAX_RANK]; /* index < this, or undefined behaviour; NULL: no such bound */
    smt_t claimed; /* view ops marked inbounds: the element is in the tensor; or NULL */
    smt_t touched; /* for those: the mask as memory has it, which the marks do not cut; or NULL */
    const char *unknown; /* why the address is not known, a sentence; or NULL */
    /* Values of the element at the in-tile coordinate; NULL: no integer, or none. */
    smt_t got;       /* read: a function of block ids, counters and coordinates, in this order */
    smt_t otherwise; /* read: the value where the mask is false; NULL: not known */
    ix_change change;
    smt_t put, compare; /* operands of `change` */
} ix_access;

typedef enum ix_hazard_kind {
    IX_WRAP,
    IX_DIVISION,
    IX_STEP,
    IX_EXTENT,
    IX_SLICE,
    IX_SHIFT,  /* by a negative number, or by the width of the type or more */
    IX_NULL,   /* an access through the null pointer: it is in no buffer */
    IX_ASSUME, /* an assume or an assert of the kernel that does not hold */
} ix_hazard_kind;

typedef struct ix_hazard { /* undefined behaviour, or a wrap that the terms do not model */
    ix_hazard_kind kind;
    const ir_op *op;
    bool undefined; /* a flagged wrap, a division, a loop's step, a slice; else defined, but not
                       what the terms say: an unflagged wrap, a negative number that is read as
                       unsigned */
    smt_t path, facts, assumed;
    size_t n_loops;
    const ix_loop *loops[IX_MAX_LOOPS];
    int rank; /* the value is a tile: holds for every coordinate */
    int64_t tile[IR_MAX_RANK];
    smt_t safe;  /* must hold */
    smt_t value; /* what must be in range, the divisor, the loop's step, the extent or stride, the
                    number of the slice */
    /* Division: a boolean variable of the launch that is true where the launch promises a positive
     * divisor, which later terms may then use; or NULL. */
    smt_t asked;
} ix_hazard;

typedef struct ix_check { /* an assert op: ends the kernel when it fails; kept for messages */
    const ir_op *op;
    smt_t condition;
} ix_check;

/* A statement that holds for every value of a variable wherever an application, of block ids and
 * counters of the loops around, holds. It says what all iterations of a preceding loop have found,
 * or what all elements of a reduction are. To the solver the application says nothing; to use one
 * case, put the application's arguments and the value of the variable into the statement. */
typedef struct ix_universal {
    smt_t app;       /* a predicate that is true there, or the reduction's value */
    smt_t variable;  /* a loop counter or a coordinate */
    smt_t range;     /* which values it has */
    smt_t statement; /* over the application's arguments and the variable */
    smt_t also;      /* over the arguments alone; or NULL */
    smt_t last;      /* for a loop: its last iteration, over the arguments; else NULL */
    smt_t summand; /* for a sum: the element; the value is the sum of these, wrapped to `bits`; else
                      NULL */
    smt_int n;     /* how many elements */
    int bits;
} ix_universal;

/* A sum along one dimension of a tile whose elements are not negative, and which does not wrap. */
typedef struct ix_sum {
    smt_t app;          /* its value: of block ids, counters and coordinates, in this order */
    const ir_value *of; /* the tile, of this rank */
    smt_t element;      /* the tile's element, over the same arguments */
    smt_int most;       /* no element is larger */
    int rank, dim;
    bool running; /* a scan: the sum up to and with the element; else the sum of the whole line,
                     without the coordinate along `dim` */
    bool reverse; /* a scan from the end */
} ix_sum;

typedef struct summary_name {
    const char *key;
    bool value;
} *summary_names;

typedef struct summary {
    smt_ctx *ctx;
    const ir_function *kernel;
    const contract *contract;
    smt_t block_id[3]; /* constant 0 on an axis of extent 1 */
    smt_t grid[3];
    bool reads_axis[3];      /* does the kernel read this axis' block id or extent? */
    bool reads_id[3];        /* the block id */
    bool axis_by_default[3]; /* extent 1 by default: neither read nor stated */
    smt_t launch;            /* holds at every launch: contract facts, grid, ranges of block ids */
    size_t n_allocations;
    ix_allocation *allocations;
    smt_t *arg_bytes;    /* per argument: byte offset of the pointer in its allocation, or NULL */
    ix_access *accesses; /* stb_ds array */
    ix_hazard *hazards;  /* stb_ds array */
    bool tables_meet; /* arrays in tables that the contract states may share memory, so what their
                         pointers address is not told apart by the row */
    const char *unsupported; /* not NULL: the walk met something that it cannot model; a sentence */
    const ir_op *unsupported_op;
    const char **content_names; /* stb_ds array: function of launch-time contents per allocation */
    int *content_allocation;    /* stb_ds array: which allocation it is */
    int *content_width;         /* stb_ds array: bytes per element */
    summary_names results;      /* stb_ds string map: functions of summary_is_result */
    ix_loop **loops;            /* stb_ds array: all loops, by walk order */
    ix_universal *universals;   /* stb_ds array */
    unsigned char *sharing;     /* stb_ds array, by term id: summary_is_shared's answers */
    ix_sum *sums;               /* stb_ds array */
    smt_t *cuts;                /* stb_ds array: remainders: see summary_is_cut */
    tr_arena *arena;
} summary;

/* The condition that an assume operation states about its operand, a scalar: alignment to a number,
 * bounds. */
smt_t summary_assumption(smt_ctx *ctx, const ir_op *assume, smt_t operand);
/* Walks the kernel. Everything lives in `arena` and the context but the stb_ds arrays, which
 * summary_free releases. */
summary *summary_build(tr_arena *arena, smt_ctx *ctx, const ir_function *kernel, const contract *c);
/* Like summary_build(), but the definedness of the ops marked in `doubted` (by ordinal) is not
 * among the facts: accesses after a division by zero or a broken assume are there all the same. An
 * undefined operation may do anything, so it must not hide what does not depend on it. Marked
 * arithmetic that promises nothing wraps: its terms are those of the machine, and it is no hazard.
 */
summary *summary_build_doubting(tr_arena *arena, smt_ctx *ctx, const ir_function *kernel,
                                const contract *c, const bool *doubted);
void summary_free(summary *s);

/* The variable of in-tile coordinate d, for tiles with that extent in dimension d; its range is 0
 * .. extent - 1.
 */
smt_t ix_coordinate(smt_ctx *ctx, int d, int64_t extent);
/* Is this variable the block's own (block ids, loop counters, in-tile coordinates), so that each
 * copy needs its own? Applications are told apart by their arguments: values that a block loaded or
 * computed in ways that are not followed are functions of its ids and counters. */
bool summary_private(const summary *s, smt_t variable);
/* Is the term the same for all blocks of a launch: no private variable occurs in it? Each term of
 * the context is looked at once. */
bool summary_is_shared(summary *s, smt_t term);
/* Is the term a value that the kernel loaded, or computed in ways that are not followed: an
 * application of a function of block ids or counters? Elements at launch are no such values, nor
 * are values that a host could compute in the same way, say the upper half of a product. */
bool summary_is_result(const summary *s, smt_t term);
/* Is the remainder what a cut to a type of 16 bits or fewer left of a number, or a mask left of an
 * element that is looked up? The number may be computed in any way. */
bool summary_is_cut(const summary *s, smt_t remainder);
/* The allocation whose launch-time contents an application reads, or -1; its only argument is the
 * element number (offset / width). */
int summary_contents_of(const summary *s, smt_t application, int *width);
/* The first argument that points into that allocation; -1: there is none. */
int summary_contents_arg(const summary *s, smt_t application);

/* Finds how the kernel takes the arrays of an IX_REGIONS allocation from their table. False: the
 * kernel does not tell which elements each array has. */
bool summary_table_form(const summary *s, int regions, table_form *form);

/* The summary as a person wants to read it. */
void summary_print(tr_text *out, const summary *s);

#endif

/* Concrete launches from a contract: for replaying a witness, and small ones by the dozen for the
 * brute-force oracle. Everything lives in the arena given. */
#ifndef INTERP_LAUNCH_H
#define INTERP_LAUNCH_H

#include "interp/interp.h"

typedef struct interp_cell { /* one element of a buffer, counted from the buffer's start */
    int64_t index, value;
} interp_cell;

/* Elements that a witness fixes. The others are filled to fit; those of a float buffer, whose
 * values are bit patterns, are like the last that is given. A float scalar is a buffer of one
 * element. */
typedef struct interp_contents {
    const char *buffer; /* its name in the contract */
    size_t n;
    const interp_cell *cells;
} interp_contents;

typedef struct interp_filling { /* what the contract leaves open; all zero is fine */
    uint64_t seed;
    const int64_t *offsets; /* per parameter: element offset into its buffer, where the contract
                               states none; NULL: 0 for all */
    size_t n_contents;
    const interp_contents *contents;
    int64_t most_filled;   /* elements of an integer buffer that get values, from its start; 0: as
                              many as it has, up to a million */
    int64_t most_elements; /* of a buffer: no launch is made where one has more; 0: any number */
    bool near_zero; /* an integer element that nothing fixes is the number nearest to 0 that may
                       stand there; else one is drawn */
} interp_filling;

/* The launch with these parameter values: `scalars` has one entry a parameter (pointers and floats:
 * ignored), `grid` the extents, 0 where the contract's term is to say (1 where it says nothing).
 * One buffer for each distinct buffer name of the contract, as long as its extents say; without
 * extents it is unbounded. Integer buffers are filled so that the facts on their contents hold,
 * float buffers and scalars are unknown unless the filling fixes some of their elements. `contract`
 * may be NULL: every pointer its own unbounded buffer. NULL and *why (a sentence) when an extent
 * cannot be evaluated or no contents fit the facts. Does not ask whether the contract's other facts
 * hold: interp_launch_holds does. */
interp_launch *interp_launch_from(tr_arena *arena, smt_ctx *ctx, const ir_function *kernel,
                                  const contract *contract, const int64_t grid[3],
                                  const int64_t *scalars, const interp_filling *filling,
                                  const char **why);

/* Contents for the float buffers and scalars that a run may depend on: those of trial number
 * `trial`, all of them in *contents; 0 when there are no more trials, which are finitely many. */
size_t interp_invent_floats(tr_arena *arena, const ir_function *kernel, const contract *c,
                            size_t trial, interp_contents **contents);
/* The number that a bit pattern of a float element type stands for, and back (0 where the format
 * has none). */
double interp_float_of(const ir_type *elem, int64_t bits);
int64_t interp_bits_of(const ir_type *elem, double number);

/* What so many bytes at that address of the buffer are at launch, as a signed number; false: that
 * is not given, and 0 stands for it. */
bool interp_number_at(const interp_buffer *buffer, int64_t address, int64_t width, int64_t *value);

/* Do all facts of the contract hold for these values, ranges of the parameters included? Then the
 * grid's extents are in *grid (where the contract states none: as they were). */
bool interp_launch_holds(smt_ctx *ctx, const contract *contract, const int64_t *scalars,
                         int64_t grid[3]);

/* Does the launch meet all that the contract states: values, grid, and contents of integer buffers,
 * element by element? Made for a launch that is there already, however it was found. False, and
 * *why (a sentence): it does not. */
bool interp_launch_meets(smt_ctx *ctx, const ir_function *kernel, const contract *contract,
                         const interp_launch *launch, const char **why);

typedef struct interp_search { /* 0: the default */
    size_t wanted;             /* launches; 16 */
    int64_t max_blocks;        /* of a launch; 512 */
    int64_t max_elements;      /* of all buffers together; 4 million */
    int64_t most_filled;       /* as of interp_filling */
    bool near_zero;            /* as of interp_filling */
    uint64_t seed;
    const interp_launch *near; /* or NULL: launches like this one, a number or two changed */
} interp_search;

/* Small launches that meet the contract, all different, sizes varied: parameter values from the
 * constants of the contract and of the kernel, their multiples and neighbours, and small primes;
 * what is too large is made smaller where few are found. Fewer than wanted where the search finds
 * no more. *launches: arena memory. */
size_t interp_enumerate_launches(tr_arena *arena, smt_ctx *ctx, const ir_function *kernel,
                                 const contract *contract, const interp_search *search,
                                 interp_launch ***launches);

/* The launch with arrays moved, by `seed`, within the memory that they may share with others as the
 * contract says; a launch that was enumerated has them all begin where that memory begins. NULL
 * when none can be moved. In the arena. */
const interp_launch *interp_overlap_launch(tr_arena *arena, smt_ctx *ctx, const ir_function *kernel,
                                           const contract *contract, const interp_launch *launch,
                                           uint64_t seed);

/* The launch beside the kernel that may still run when it begins, where the contract speaks of one
 * (programmatic dependent launch): made up, one tile block, which copies what it may read into
 * buffers of its own, behind those of the launch, and stores a new value to every element that it
 * may write. Else `launch` itself. In the arena; the made-up kernel goes into `module`, which must
 * live as long. */
const interp_launch *interp_with_predecessor(tr_arena *arena, ir_module *module,
                                             const ir_function *kernel, const contract *contract,
                                             const interp_launch *launch);

#define INTERP_MOST_RANK 4

/* An argument that is a list of arrays: a table of records, each a pointer, `rank` extents and as
 * many strides, in numbers of 64 bits. */
typedef struct interp_array_table {
    size_t arg;
    int rank;
    int records;
    int64_t extent; /* of every dimension; rows lie one behind the other */
    bool one_array; /* all records name one array; else each has an array of its own */
    int same_as;    /* they name the first array of that table, an earlier one; -1: they do not */
} interp_array_table;

/* The launch with these tables filled, and their arrays as buffers behind its own. In the arena. */
const interp_launch *interp_with_arrays(tr_arena *arena, const interp_launch *launch, size_t n,
                                        const interp_array_table *tables);

/* Values of a contract's variables at a launch: lookup function and `user` for smt_eval. */
typedef struct interp_launch_values {
    smt_ctx *ctx;
    const contract *contract;
    const interp_launch *launch;
} interp_launch_values;

bool interp_launch_lookup(void *values, smt_t variable, size_t n_args, const smt_int *args,
                          smt_int *value);

/* Does the kernel read the block id or the extent of this grid axis? */
bool interp_reads_axis(const ir_function *kernel, int axis);
/* May it have several tile blocks where nothing is stated of the grid? An axis that the kernel
 * reads; of a kernel that reads none, as its blocks may draw their work from memory, the first. */
bool interp_axis_is_open(const ir_function *kernel, int axis);

/* Tile blocks of its grid, whose extents were bounded before: the product must not overflow. */
int64_t interp_launch_blocks(const interp_launch *launch);

/* One line: grid and parameters, as `grid 4 x 1 x 1, M = 128, N = 3`. */
void interp_launch_print(tr_text *out, const ir_function *kernel, const contract *contract,
                         const interp_launch *launch);

#endif

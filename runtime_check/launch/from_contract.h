/* Makes one launch from a contract and the values of its parameters. Everything lives in the arena
 * given.
 */
#ifndef LAUNCH_FROM_CONTRACT_H
#define LAUNCH_FROM_CONTRACT_H

#include "launch/launch.h"

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
 * hold: concrete_launch_holds does. */
concrete_launch *concrete_launch_from(tr_arena *arena, smt_ctx *ctx, const ir_function *kernel,
                                      const contract *contract, const int64_t grid[3],
                                      const int64_t *scalars, const interp_filling *filling,
                                      const char **why);

/* Do all facts of the contract hold for these values, ranges of the parameters included? Then the
 * grid's extents are in *grid (where the contract states none: as they were). */
bool concrete_launch_holds(smt_ctx *ctx, const contract *contract, const int64_t *scalars,
                           int64_t grid[3]);

/* Values of a contract's variables at a launch: lookup function and `user` for smt_eval. */
typedef struct concrete_launch_values {
    smt_ctx *ctx;
    const contract *contract;
    const concrete_launch *launch;
} concrete_launch_values;

bool concrete_launch_lookup(void *values, smt_t variable, size_t n_args, const smt_int *args,
                            smt_int *value);

/* Does the kernel read the block id or the extent of this grid axis? */
bool concrete_reads_axis(const ir_function *kernel, int axis);
/* May it have several tile blocks where nothing is stated of the grid? An axis that the kernel
 * reads; of a kernel that reads none, as its blocks may draw their work from memory, the first. */
bool concrete_axis_is_open(const ir_function *kernel, int axis);

/* The launch with 1 for each integer that neither kernel nor contract looks at: front ends pass
 * sizes and strides unread, and any value is as good. In the arena. */
const concrete_launch *concrete_with_idle_ones(tr_arena *arena, const ir_function *kernel,
                                               const contract *contract,
                                               const concrete_launch *launch);

/* One line: grid and parameters, as `grid 4 x 1 x 1, M = 128, N = 3`. */
void concrete_launch_print(tr_text *out, const ir_function *kernel, const contract *contract,
                           const concrete_launch *launch);

#endif

/* The reference interpreter: one kernel, one concrete launch, every memory event.
 *
 * It shares the op table with the prover and no semantics. Integers, addresses, control flow and
 * integer buffers are exact; a float is a number with a mark that says whether it is known. What the
 * run cannot decide (a branch on an unknown float) ends it with INTERP_UNDECIDED, never with a guess. */
#ifndef INTERP_H
#define INTERP_H

#include "contract/contract.h"
#include "ir/ir.h"
#include "tileir_memory/model.h"

typedef struct interp_buffer {
    const char *name;
    int64_t bytes;          /* size; accesses outside it are events that lie `out_of_buffer` */
    unsigned char *data;    /* contents at launch, `bytes` long; NULL: zero */
    bool *known;            /* per byte: contents known exactly; NULL: all known */
} interp_buffer;

typedef struct interp_arg {
    int64_t value;          /* scalar: its value, sign-extended; pointer: byte offset into buffer */
    int buffer;             /* pointer: index into buffers; -1: a scalar */
} interp_arg;

typedef struct interp_launch {
    int64_t grid[3];
    size_t n_args;
    interp_arg *args;       /* one per kernel parameter */
    size_t n_buffers;
    interp_buffer *buffers;
} interp_launch;

typedef struct interp_limits {
    uint64_t steps;  /* op executions over all blocks; 0: a default of 50 million element-steps */
    uint64_t events; /* 0: a default of 20 million */
} interp_limits;

#define INTERP_MAX_LOOPS 16

/* One memory operation of one element: D1. */
typedef struct interp_event {
    uint32_t block;      /* linear tile block id: x + grid.x * (y + grid.y * z) */
    uint32_t instance;   /* which execution of an op: index into instances; events of one instance
                            belong to one tile op */
    uint32_t in_tile;    /* row-major element number in the op's tile */
    int32_t buffer;      /* -1: an address that is in no buffer */
    int64_t address;     /* byte offset in the buffer */
    bool out_of_buffer;
} interp_event;

typedef struct interp_instance { /* one execution of one memory op by one block */
    const ir_op *op;
    uint32_t block;
    uint32_t n_loops;
    int64_t iterations[INTERP_MAX_LOOPS]; /* 0-based counters of the loops around it, outermost first */
    uint32_t token;      /* private: its node in the token graph */
    int n_index;         /* view ops: the index tuple as executed */
    int64_t index[IR_MAX_RANK];
} interp_instance;

typedef enum interp_status {
    INTERP_DONE,
    INTERP_UNDECIDED, /* control or an address hung on an unknown value */
    INTERP_LIMIT,     /* too many steps or events */
    INTERP_HANG,      /* a loop spins on memory that nobody will change */
    INTERP_UB,        /* undefined behaviour other than a race stopped the run: `why` and `at` say what */
    INTERP_UNSUPPORTED,
} interp_status;

/* Undefined behaviour met on the way that did not stop the run (index outside the index space,
 * access outside the buffer, signed wrap with the flag): kept as a list. */
typedef enum interp_ub_kind {
    INTERP_UB_INDEX_SPACE,
    INTERP_UB_OUT_OF_BUFFER,
    INTERP_UB_WRAP,
    INTERP_UB_DIVISION,
    INTERP_UB_ASSUME, /* an assume, or an assert, that does not hold */
} interp_ub_kind;

typedef struct interp_ub {
    interp_ub_kind kind;
    const ir_op *op;
    uint32_t block;
    uint32_t n_loops;
    int64_t iterations[INTERP_MAX_LOOPS];
    int dimension;  /* index space: which; else -1 */
    int64_t value;  /* the index, the address, the wrapped value */
    int64_t bound;
} interp_ub;

typedef struct interp_run interp_run; /* result of one execution; owns its arena */

/* Runs every tile block, one after the other in the order of `block_order` (NULL: linear order). */
tr_give interp_run *interp_execute(const ir_function *kernel, const interp_launch *launch,
                                   const model_choices *choices, const interp_limits *limits,
                                   const uint32_t *block_order);
/* Only the blocks named (linear ids): enough to replay a witness of two blocks of a large grid. */
tr_give interp_run *interp_execute_blocks(const ir_function *kernel, const interp_launch *launch,
                                          const model_choices *choices,
                                          const interp_limits *limits, size_t n_blocks,
                                          const uint32_t *blocks);
void interp_run_free(tr_take interp_run *run);

interp_status interp_run_status(const interp_run *run);
const char *interp_run_why(const interp_run *run);      /* a sentence, when not done */
const ir_op *interp_run_where(const interp_run *run);   /* or NULL */
size_t interp_events(const interp_run *run, const interp_event **events);
const interp_instance *interp_instance_of(const interp_run *run, uint32_t instance);
size_t interp_ubs(const interp_run *run, const interp_ub **ubs);
/* Is event a's instance token-before event b's (same block; rpo, D16)? */
bool interp_token_before(const interp_run *run, uint32_t instance_a, uint32_t instance_b);

typedef struct interp_race { /* A3: two conflicting events, unordered, not morally strong */
    interp_event a, b;
} interp_race;

/* Brute force over all pairs of events on equal bytes: the races of this execution, at most `limit`,
 * one per pair of ops and kind (same block or not) unless `all`. Synchronisation: release/acquire
 * pairs observed in this execution order are counted as happens-before only when
 * `synchronisation_matters` is reported back true: then a race found is not certain and neither is
 * its absence. */
size_t interp_find_races(const interp_run *run, const model_choices *choices, bool all,
                         interp_race *out, size_t limit, bool *synchronisation_matters);

#endif

/* The reference interpreter: one kernel, one concrete launch, every memory event.
 *
 * It shares the op table with the prover and no semantics. Integers, addresses, control flow and
 * integer buffers are exact; a float is a number with a mark that says whether it is known. What
 * the run cannot decide (a branch on an unknown float) ends it with INTERP_UNDECIDED, never with a
 * guess. */
#ifndef INTERP_H
#define INTERP_H

#include "base/budget.h"
#include "ir/ir.h"
#include "launch/launch.h"
#include "tileir_memory/model.h"

typedef struct interp_limits {
    uint64_t steps;    /* elements computed or moved over all blocks; 0: a default of 200 million */
    uint64_t events;   /* a contiguous row of one op counts once; 0: a default of 20 million */
    tr_budget *budget; /* a guard of wall time, or NULL: when it is spent the run stops */
    bool values;       /* give a value also to floats that hardware is free in: sums of any order
                          (mmaf, reduce, scan, atomic addf) are taken in ascending order, for mmaf in
                          f32 (f64 for f64); exp, log, sin, ..., approximate division and rsqrt by the
                          host's libm in double, rounded to nearest. Never for a proof or a witness */
    bool prints;       /* keep what the kernel prints: interp_run_printed() */
} interp_limits;

#define INTERP_MAX_LOOPS 16

/* One memory operation of one element: D1. */
typedef struct interp_event {
    uint32_t block;    /* linear tile block id: x + grid.x * (y + grid.y * z) */
    uint32_t instance; /* which execution of an op: index into instances; events of one instance
                          belong to one tile op */
    uint32_t in_tile;  /* row-major element number in the op's tile */
    int32_t buffer;    /* -1: an address that is in no buffer */
    int64_t address;   /* byte offset in the buffer */
    bool out_of_buffer;
} interp_event;

/* Does the event lie outside a buffer of known size? */
static inline bool interp_event_is_outside(const interp_event *e)
{
    return e->out_of_buffer && e->buffer >= 0;
}

typedef struct interp_instance { /* one execution of one memory op by one block */
    const ir_op *op;
    uint32_t block;
    uint32_t n_loops;
    int64_t
        iterations[INTERP_MAX_LOOPS]; /* 0-based counters of the loops around it, outermost first */
    uint32_t token;                   /* private: its node in the token graph */
    int n_index;                      /* view ops: the index tuple as executed */
    int64_t index[IR_MAX_RANK];
} interp_instance;

typedef enum interp_status {
    INTERP_DONE,
    INTERP_UNDECIDED, /* control or an address hung on an unknown value */
    INTERP_LIMIT,     /* too many steps or events */
    INTERP_HANG,      /* a loop spins on memory that nobody will change */
    INTERP_UB, /* undefined behaviour other than a race stopped the run: `why` and `at` say what */
    INTERP_UNSUPPORTED,
} interp_status;

/* Undefined behaviour met on the way, which does not stop the run (index outside the index space,
 * access outside the buffer, signed wrap with the flag): kept as a list, one entry for each
 * execution of an op and dimension. DIVISION: by zero, INT_MIN / -1, a shift by the width or more
 * (its result is unknown), and a loop's step that is not positive (the loop has one iteration).
 * CLAIM: no bound cuts such a tile along the marked dimensions, so it reaches other elements. */
typedef enum interp_ub_kind {
    INTERP_UB_INDEX_SPACE,
    INTERP_UB_CLAIM, /* a tile that is marked as in bounds and leaves its tensor */
    INTERP_UB_OUT_OF_BUFFER,
    INTERP_UB_WRAP,
    INTERP_UB_DIVISION,
    INTERP_UB_ASSUME, /* an assume, or an assert, that does not hold */
    INTERP_UB_SLICE,  /* extract or insert beyond the tile: its result is unknown */
} interp_ub_kind;

typedef struct interp_ub {
    interp_ub_kind kind;
    const ir_op *op;
    uint32_t block;
    uint32_t n_loops;
    int64_t iterations[INTERP_MAX_LOOPS];
    int dimension; /* index space: which; else -1 */
    int64_t value; /* the index, the address, the wrapped value */
    int64_t bound;
} interp_ub;

/* Are value and bound the index of a view and the end of its index space? */
bool interp_ub_is_of_index(interp_ub_kind kind);

typedef struct interp_run interp_run; /* result of one execution; owns its arena */

/* Runs every tile block, one after the other in the order of `block_order` (NULL: linear order).
 * Where a block waits for memory that one behind it changes, they take turns, in this order. */
tr_give interp_run *interp_execute(const ir_function *kernel, const concrete_launch *launch,
                                   const model_choices *choices, const interp_limits *limits,
                                   const uint32_t *block_order);
/* Executes only the blocks named (linear ids): enough to replay a witness of two blocks of a large
 * grid. */
tr_give interp_run *interp_execute_blocks(const ir_function *kernel, const concrete_launch *launch,
                                          const model_choices *choices, const interp_limits *limits,
                                          size_t n_blocks, const uint32_t *blocks);
/* Like interp_execute_blocks(), for grids of more than 2^32 blocks: blocks by their coordinates. In
 * the run, block number i is ids[i]. */
tr_give interp_run *interp_execute_at(const ir_function *kernel, const concrete_launch *launch,
                                      const model_choices *choices, const interp_limits *limits,
                                      size_t n_blocks, const int64_t (*ids)[3]);
/* The kernel and the launch's buffers must live as long as the run. */
void interp_run_free(tr_take interp_run *run);

interp_status interp_run_status(const interp_run *run);
const char *interp_run_why(const interp_run *run);    /* a sentence, when not done */
const ir_op *interp_run_where(const interp_run *run); /* or NULL */
uint64_t interp_work(const interp_run *run); /* elements computed or moved: interp_limits.steps */
/* Listed at the first call, which costs a fifth of a microsecond an event; as many as the limit. */
size_t interp_events(const interp_run *run, const interp_event **events);
uint64_t interp_event_count(const interp_run *run); /* all of them, without listing */
/* Elements of one execution of an op that lie one behind the other: element k is number
 * in_tile + k * step of the op's tile. */
typedef struct interp_row {
    const ir_op *op;
    uint32_t instance;
    uint32_t elements;
    uint32_t in_tile, step;
    int32_t buffer;  /* -1: in no buffer */
    int64_t address; /* byte offset in the buffer */
    int64_t bytes;
    int64_t last; /* where the last element begins */
} interp_row;
/* The events of a run as rows: their number, and each of them. */
size_t interp_rows(const interp_run *run);
interp_row interp_row_at(const interp_run *run, size_t number);
size_t interp_instances(const interp_run *run);
/* Coordinates of a block of the run. */
void interp_block_of(const interp_run *run, uint32_t block, int64_t id[3]);
/* Name of a buffer of the launch, a module global, or "alloca"; those follow the launch's. */
const char *interp_buffer_name(const interp_run *run, int buffer);
bool interp_outside(const interp_run *run, int buffer, int64_t address, int width);
/* Memory after the run: `width` (1 to 8) bytes, little-endian; false when not all are known. */
bool interp_read_back(const interp_run *run, int buffer, int64_t address, int width,
                      uint64_t *bits);

#define INTERP_PAGE_BYTES 4096

/* Bytes of a buffer that the run has written, with what was near them: byte i is known where bit
 * i % 64 of known[i / 64] says so. */
typedef struct interp_page {
    int64_t address; /* in the buffer: a multiple of INTERP_PAGE_BYTES */
    const unsigned char *data;
    const uint64_t *known;
} interp_page;

/* How many of these pages there are, in no order, and each of them. */
size_t interp_pages(const interp_run *run, int buffer);
interp_page interp_page_at(const interp_run *run, int buffer, size_t number);
const interp_instance *interp_instance_of(const interp_run *run, uint32_t instance);
/* The verb of an access: "loads", "stores" or "updates". */
const char *interp_verb_of(const ir_op *op);
/* The op of an instance. It is not unpacked, so a loop over all events can afford the call. */
const ir_op *interp_op_of(const interp_run *run, uint32_t instance);
size_t interp_ubs(const interp_run *run, const interp_ub **ubs);
/* Is event a's instance token-before event b's (same block; rpo, D16)? */
bool interp_token_before(const interp_run *run, uint32_t instance_a, uint32_t instance_b);
/* Does a token order it after a gdc_wait_tko that was executed (D22)? Of a run block after block.
 */
bool interp_comes_after_wait(const interp_run *run, uint32_t instance);
/* Does it happen before it (D21: token order, and synchronisation as this run had it)? Exact: the
 * run knows which write each read took its value from. */
bool interp_happens_before(const interp_run *run, uint32_t instance_a, uint32_t instance_b);

/* ---- Section: Values that are not defined ---- */

/* The source of a value that no program may rely on. */
typedef enum interp_undefined_kind {
#define UNDEFINED(id, name, does, words) INTERP_UNDEFINED_##id,
#include "interp/undefined.def"
} interp_undefined_kind;

typedef struct interp_undefined_info {
    const char *name;  /* "padding" */
    const char *does;  /* behind "the load in line 5" */
    const char *words; /* beside the line itself: a sentence */
} interp_undefined_info;

const interp_undefined_info *interp_undefined_info_of(interp_undefined_kind kind);

typedef struct interp_undefined {
    interp_undefined_kind kind;
    const ir_op *op; /* the load, or the operation */
    uint32_t block;  /* where this showed first */
    int32_t buffer;  /* of memory */
    int64_t address;
} interp_undefined;

/* The printed output of the kernel, block after block, the first 1 MiB or so of it; "?" stands for
 * what the run does not know. */
const char *interp_run_printed(const interp_run *run);

/* The output of one execution of a print: these bytes of interp_run_printed(). */
typedef struct interp_print {
    const ir_op *op;
    uint32_t block;
    size_t at, length;
} interp_print;

/* Returns the prints in the order of the run; without those that printed nothing. *cut: the kernel
 * prints more. */
size_t interp_prints(const interp_run *run, const interp_print **prints, bool *cut);

/* An element whose value the run does not know when it is stored. */
typedef struct interp_unknown_store {
    const ir_op *op;
    uint32_t block;
    int32_t buffer;
    int64_t address;
    int32_t width;
    uint32_t source; /* of interp_undefined_at(); 0: the interpreter does not know the value */
} interp_unknown_store;

/* Returns the first 65,536 such stores, in the order of the run. */
size_t interp_unknown_stores(const interp_run *run, const interp_unknown_store **stores);
/* Is it still not known at the end of the run? What is stored there later may be. */
bool interp_stays_unknown(const interp_run *run, const interp_unknown_store *store);
/* The origin of an undefined value: of several in a tile the first. NULL: nothing made it
 * undefined. */
const interp_undefined *interp_undefined_at(const interp_run *run, uint32_t source);
/* The origin of the undefined value on which a branch or an address of an INTERP_UNDECIDED run
 * depends. */
const interp_undefined *interp_run_undefined_by(const interp_run *run);

typedef struct interp_race { /* A3: two conflicting events, unordered, not morally strong */
    interp_event a, b;
} interp_race;

/* Brute force over all pairs of events on equal bytes: the races of this execution, at most
 * `limit`, one per pair of ops and kind (same block or not) unless `all`; with `all`, one per pair
 * of instances and elements, where a row that all the same accesses cover counts once.
 *
 * What is found is certain, with synchronisation too, and also when the run did not get to its end:
 * the run is one execution that the model allows (blocks and ops one after the other, each read
 * takes what was written last), or the beginning of one, and for that one the order is exact:
 * tokens, and releases with the acquires that observed them (D18 to D20, D21), between blocks and
 * inside one. That nothing is found speaks of this execution alone. `synchronisation_matters`:
 * something here is ordered, or could have been, by what an acquire happened to read, so that
 * another order of the blocks or of unordered ops may show a race that this one does not.
 * The model's choices are those that the run was made with. */
size_t interp_find_races(const interp_run *run, bool all, interp_race *out, size_t limit,
                         bool *synchronisation_matters);
/* Like interp_find_races(), with at most *checks pairs and steps through the token graph, of which
 * it takes away what it used. */
size_t interp_find_races_within(const interp_run *run, bool all, interp_race *out, size_t limit,
                                bool *synchronisation_matters, uint64_t *checks);
/* Did the last search give up on too many pairs? Then there may be races that it did not find. */
bool interp_races_cut_short(const interp_run *run);

#endif

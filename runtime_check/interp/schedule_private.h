/* The scheduler's insides: schedule.c takes the steps, policy.c chooses them, explore.c tries all.
 */
#ifndef INTERP_SCHEDULE_PRIVATE_H
#define INTERP_SCHEDULE_PRIVATE_H

#include "interp/fiber.h"
#include "interp/memory_access.h"
#include "interp/schedule.h"

/* A token whose node is not there yet, as its op has not taken effect. */
#define TOKEN_PROMISE 0x80000000u

typedef struct promise { /* what such a token stands for */
    uint32_t *earlier;   /* stb_ds: tokens that are joined; NULL: an op */
    bool waits;          /* it also orders behind the end of the kernel that was launched before */
    uint32_t op;         /* its number */
    uint32_t node;
    bool kept;    /* it has its node */
    bool settled; /* all that it orders has taken effect */
} promise;

typedef struct issued { /* one execution of a memory op by a block */
    access access;
    cells *held[3]; /* what its readers read */
    span *touched;  /* stb_ds */
    uint32_t token_in, promise;
    uint32_t n_loops;
    int64_t iterations[INTERP_MAX_LOOPS];
    uint32_t n_causes; /* of the task's causes: it was issued after these */
    bool performed;
    uint32_t step; /* when, if performed */
} issued;

typedef struct watched { /* what a block read since its outermost loop began */
    int64_t address;
    int64_t bytes;
    int32_t buffer;
    bool changed;  /* since */
    uint32_t step; /* that changed it */
} watched;

/* A step as later loads look back on it: weak schedules only. */
typedef struct past {
    const span *touched;
    const ir_op *op;
    uint32_t block, node;
    bool writes;
    size_t seen;        /* a read: how many of the writes among these it had seen */
    unsigned char *old; /* a write: what was there, byte by byte of the spans */
    bool *known;
} past;

typedef enum waiting {
    FOR_NOTHING,
    FOR_OP,     /* `wanted` */
    FOR_ROOM,   /* to issue one more */
    FOR_ALL,    /* that were issued */
    FOR_CHANGE, /* of what was read from `wanted` on */
} waiting;

typedef struct task { /* a block that has begun */
    struct scheduler *scheduler;
    fiber *fiber;                /* NULL: it is over */
    const interp_before *before; /* it is one of that kernel; or NULL */
    const ir_function *kernel;
    uint32_t block;
    int64_t block_id[3];
    ssa *values;
    uint32_t n_loops, depth;
    int64_t lanes;
    int64_t iterations[INTERP_MAX_LOOPS];

    issued *ops;         /* stb_ds, by number */
    uint32_t first_open; /* all before it are performed */
    uint32_t *pending;   /* by value id: 1 + number of the op whose result nobody has used yet */
    promise *promises;   /* stb_ds */
    uint32_t *causes;    /* stb_ds: steps that had to be taken for the block to get where it is */
    uint64_t *is_cause;  /* stb_ds: by step, a bit: whether it is among `causes` */
    watched *reads;      /* stb_ds */
    bool unwatched;      /* too many */
    uint32_t open_loops; /* `loop`s that the block is in */
    uint64_t writes;     /* that changed memory */
    waiting waiting;
    uint32_t wanted;
    const ir_op *spins; /* FOR_CHANGE: the loop */
} task;

typedef struct candidate { /* an op that can take effect */
    task *task;
    uint32_t number;
} candidate;

typedef struct scheduler {
    interp_run *run;
    const concrete_launch *launch;
    const ir_function *kernel;
    uint32_t window, residents;
    size_t n_blocks, n_own; /* n_own: blocks from there on are of the kernel before */
    const uint32_t *blocks; /* NULL: all, the kernel before first */
    size_t next_block;
    uint32_t *before_nodes; /* stb_ds: of what the kernel before has done */
    task **tasks;           /* stb_ds: in the order in which they began */
    task **live;            /* stb_ds: those of them that are not over */
    candidate *candidates;  /* stb_ds: scratch */
    uint64_t looked_at;     /* ops that might have been candidates, not charged yet */
    interp_step *steps;     /* stb_ds */
    bool weak;
    uint32_t stale; /* wanted of the op that was chosen, if it is a load */
    bool backwards; /* the same, if it overlaps itself */
    past *past;     /* stb_ds */
    int64_t past_bytes;
    bool window_met; /* an op had to wait for room */
    /* Chooses one of them; SIZE_MAX gives the run up. */
    size_t (*choose)(void *user, struct scheduler *s, const candidate *c, size_t n);
    void *user;
} scheduler;

/* Executes the op, perhaps with what memory held earlier; puts it down among what is past. Gives
 * its node; `stale` is cut down to what is allowed. */
uint32_t past_commit(scheduler *s, const issued *o, uint32_t token, uint32_t *stale,
                     tr_give cells **data);
void past_free(scheduler *s);
/* Runs it. `s` has its blocks, bounds and choice; the run is sound. */
void schedule_run(interp_run *run, const concrete_launch *launch, scheduler *s);
/* The block that begins as the i-th. */
uint32_t schedule_block_at(const scheduler *s, size_t i);
/* Has it run to its end, and all that it issued taken effect? */
bool task_is_over(task *t);
/* How many blocks the kernel before has. */
uint64_t schedule_blocks_before(const concrete_launch *launch);
/* Executes as interp_execute_scheduled does. */
tr_give interp_run *schedule_execute(const ir_function *kernel, const concrete_launch *launch,
                                     const model_choices *choices, const interp_limits *limits,
                                     size_t n_blocks, const uint32_t *blocks, scheduler *s);
const issued *schedule_candidate(const candidate *c);
/* Does an op touch some byte with two of its elements? */
bool schedule_overlaps_itself(const span *touched);
/* Do two sets of spans meet? */
bool schedule_overlap(const span *a, const span *b);
/* Do they meet, and is one of them written? */
bool schedule_conflict(const span *a, model_access access_a, const span *b, model_access access_b);

/* ---- Section: Tokens (schedule_tokens.c) ---- */

/* NULL: the token is a node. */
promise *schedule_promise_of(task *t, uint32_t token);
/* A token for the op that is issued next; or after all of `earlier`. */
uint32_t schedule_promise(task *t, tr_take uint32_t *earlier);
/* Its node. Ops that have not taken effect get theirs now: whoever overtakes them is ordered after
 * them all the same. */
uint32_t schedule_node_of(interp_run *run, task *t, uint32_t token);
/* Can the op take effect now? */
bool schedule_is_ready(const scheduler *s, task *t, uint32_t number);

/* ---- Section: Called from where a block is executed ---- */

/* Waits for the values that an op uses. */
void schedule_need(interp_run *run, const ir_op *op);
/* Instead of performing it: its elements are in run->touched. */
void schedule_issue(interp_run *run, const access *a, uint32_t token_in, const ir_value *result,
                    const ir_value *token_out);
/* A token after all of these. */
uint32_t schedule_join(interp_run *run, size_t n, const uint32_t *tokens);
/* A token after this one and after all of the kernel before (D22). */
uint32_t schedule_wait(interp_run *run, uint32_t token);
/* Called at the end of an iteration that changed none of its own values: true when the block is
 * to try again, false when the run has stopped. `first_op`, `first_read`, `writes`: as at its
 * start. */
typedef struct schedule_mark {
    uint32_t first_op, first_read;
    uint64_t writes;
} schedule_mark;
schedule_mark schedule_iteration(const interp_run *run);
bool schedule_spin(interp_run *run, const ir_op *loop, schedule_mark start);

#endif

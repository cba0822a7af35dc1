/* Executions in which blocks, and the unordered ops of one block, take turns.
 *
 * An op of a block is issued in program order, once the values that it needs are there, and takes
 * effect at a later step that the schedule chooses. What the model asks of the order of effects,
 * every schedule keeps: an op comes after what a token orders before it, where the two touch the
 * same bytes, where the later one releases, or where the earlier one acquires (D11, D15, D18). With
 * `weak`, nothing more: a store may take effect after one that a token orders behind it, as no
 * release makes other blocks see them in that order, and a load that does not acquire may give what
 * was there before the latest writes of its bytes, unless they, or a read that saw them, happen
 * before it (A7). Without, an op comes after all that a token orders before it.
 *
 * One step is one op with all its elements, one after the other, in the order of the tile or, where
 * some of them share bytes, in the opposite one. These are executions that the model allows, so a
 * race found in one is certain; they are not all: a tile op is not torn, and nothing is read that a
 * later step writes. What the model allows beyond is for executions.h, on small kernels.
 *
 * A block that spins on memory that nobody has changed stops until somebody does; when all that are
 * left do, the run ends with INTERP_HANG. */
#ifndef INTERP_SCHEDULE_H
#define INTERP_SCHEDULE_H

#include "interp/interp.h"

typedef enum interp_policy {
    INTERP_IN_ORDER, /* block after block, ops in program order */
    INTERP_RANDOM,   /* by `seed` */
    INTERP_AIMED,    /* ops `held` wait until `until` took effect elsewhere; the rest by `seed` */
    INTERP_LISTED,   /* of all ops that could, the one that comes first in `steps` */
} interp_policy;

typedef struct interp_step { /* one op took effect; block and number name it, over all schedules */
    uint32_t block;
    uint32_t number;   /* among the block's executions of memory ops, in program order */
    uint32_t instance; /* of the run; not read in a schedule that is given */
    uint32_t stale;    /* a load: how many of the latest writes to its bytes it did not see */
    bool backwards; /* an op that touches bytes twice: its elements took effect last first (D1) */
} interp_step;

#define INTERP_ANY_BLOCK UINT32_MAX

typedef struct interp_schedule {
    interp_policy policy;
    uint64_t seed;
    uint32_t window;    /* how far ops of a block may overtake each other; 0: 16, 1: not at all */
    uint32_t residents; /* how many blocks have begun and not ended; 0: 64 */
    bool weak;          /* effects out of token order, stale loads: see above */
    const ir_op *held, *until;
    uint32_t held_block; /* or INTERP_ANY_BLOCK: the first that comes there */
    size_t n_steps;
    const interp_step *steps;
} interp_schedule;

/* Runs a launch as interp_execute() does, by a schedule. It runs `n_blocks` blocks by their linear
 * ids. If `blocks` is NULL, it runs the whole grid and ignores n_blocks; a launch with a kernel
 * before it then runs that one, too. The blocks of that kernel begin first, and what a token orders
 * after a gdc_wait_tko comes after all that they do (D22). The same schedule gives the same run,
 * also on another machine. The caller owns the result. The kernel and the launch must live as long
 * as the run; the schedule need not. */
tr_give interp_run *
interp_execute_scheduled(const ir_function *kernel, const concrete_launch *launch,
                         const model_choices *choices, const interp_limits *limits, size_t n_blocks,
                         const uint32_t *blocks, const interp_schedule *schedule);
/* The steps of a scheduled run, in order; none for another run. The run's. */
size_t interp_steps(const interp_run *run, const interp_step **steps);

typedef struct interp_exploration {
    uint64_t runs;   /* executions looked at */
    uint64_t pruned; /* begun, and given up as equivalent to one looked at */
    bool complete;   /* none was left out, within the schedules described above */
    const char *why; /* when not complete: a constant sentence */
} interp_exploration;

/* Every schedule (none of them weak) of a small launch, one for each class of schedules that differ
 * only in the order of steps that do not touch the same bytes (one of them writing): partial order
 * reduction with source sets and sleep sets. An op that stores to a byte twice is tried with its
 * elements in both orders; the kernel before, where the launch has one, takes part. `visit` may
 * keep nothing of the run; false ends the search. At most `max_runs` (0: 10,000) executions.
 * `limits` hold for each. */
interp_exploration interp_explore(const ir_function *kernel, const concrete_launch *launch,
                                  const model_choices *choices, const interp_limits *limits,
                                  size_t n_blocks, const uint32_t *blocks, uint64_t max_runs,
                                  bool (*visit)(void *user, const interp_run *run), void *user);

/* ---- Section: A race, shown ---- */

typedef struct interp_shown_step {
    uint32_t block, number; /* as in interp_step */
    const ir_op *op;
    uint32_t n_loops;
    int64_t iterations[INTERP_MAX_LOOPS];
    uint32_t stale; /* as in interp_step */
    bool backwards; /* the same */
    bool before;    /* of the kernel before; its blocks are numbered behind those of the launch */
    bool matters;   /* one of the swapped two, or between them and an element that differs */
} interp_shown_step;

typedef struct interp_differing {
    int buffer;
    int64_t address;     /* of the first byte that differs */
    uint64_t values[2];  /* `width` bytes from there, after each schedule */
    bool open[2];        /* ... which the program leaves open (unspecified): values is 0 */
    int width;           /* of the op that wrote it last in the first schedule */
    uint32_t writers[2]; /* steps that wrote it last; UINT32_MAX: none */
} interp_differing;

typedef struct interp_difference {
    uint64_t runs; /* executed to find it */
    /* Two schedules of the same launch. When `adjacent`, they differ in the order of the steps at
     * `at` and `at + 1` alone, up to what follows from that; else they part at step `at`, perhaps
     * only by what a load there sees (`stale`). */
    size_t n_steps[2];
    const interp_shown_step *steps[2];
    size_t at;
    bool adjacent;
    size_t n_blocks; /* all that ran */
    const uint32_t *blocks;
    size_t n_elements; /* that differ, counted by the writing op's width; of them are listed: */
    size_t n_listed;
    const interp_differing *elements;
} interp_difference;

typedef struct interp_spent {
    uint64_t runs, work; /* schedules executed; elements computed or moved (interp_work) */
} interp_spent;

typedef struct interp_aim {
    const ir_op *first, *second;        /* NULL: any two */
    uint32_t first_block, second_block; /* or INTERP_ANY_BLOCK */
    uint64_t seed;
    uint64_t max_runs;   /* 0: 64 */
    uint64_t max_work;   /* then no further schedule is begun; 0: no bound */
    interp_spent *spent; /* or NULL; what is executed is added */
    /* Called with each run, which lives no longer; or NULL. */
    void (*visit)(void *user, const interp_run *run);
    void *user;
} interp_aim;

/* Looks for two schedules after which memory differs in a byte that is known after both (with
 * limits.values: after one of them, as what stays open then is unspecified by the program), and
 * makes them as alike as they can be. NULL: none found within `aim->max_runs` (which proves
 * nothing). What it gives lives in the arena. Contents that are not known hide differences: see
 * concrete_fill. `aim` may be NULL. */
const interp_difference *interp_find_difference(tr_arena *arena, const ir_function *kernel,
                                                const concrete_launch *launch,
                                                const model_choices *choices,
                                                const interp_limits *limits, size_t n_blocks,
                                                const uint32_t *blocks, const interp_aim *aim);

#endif

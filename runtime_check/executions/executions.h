/* Enumerates all executions of a small launch, by the axioms of models/tileir_memory: can any of
 * them race, and which values can be read and left?
 *
 * Each tile block is run alone, once for every way its reads could go (a trace); then traces are
 * put together, every read is given a write to read from, and what the axioms allow is an
 * execution. A race in one of them makes the program undefined (A3), so the search ends with the
 * first.
 *
 * - Values. A read of memory that the launch writes may give the initial value or any value that
 *   some write can store there, found round by round until nothing is new. Reads whose value
 *   decides nothing (no branch, no address, no mask) are left open, unless outcomes are wanted.
 * - Spin loops are awaits: iterations that change nothing but their place in time are left out,
 *   but for one. A wait that nobody ends blocks its execution.
 * - No thin air (A9): dependence is that of oracle.h, by whole ops.
 * - Bounds. What is beyond a limit gives EXECUTIONS_BOUND, never the absence of races. */
#ifndef EXECUTIONS_H
#define EXECUTIONS_H

#include "interp/interp.h"

typedef struct executions_part { /* one launch of one kernel */
    const ir_function *kernel;
    const concrete_launch *launch; /* buffers of equal name are one memory, with equal contents */
    uint32_t stream;               /* parts of one stream run in the order given: D23 */
    uint32_t device;               /* which GPU: D8 */
    bool dependent; /* programmatic dependent launch after the part before it in its stream */
} executions_part;

typedef struct executions_limits { /* 0: the default */
    uint32_t blocks;               /* tile blocks of all parts; 16 */
    uint32_t traces;               /* of one block; 2,000 */
    uint32_t events;               /* of one trace; 16,000 (of an execution 1,500 that matter) */
    uint64_t candidates;           /* choices of traces and of writes to read from; 200,000 */
    uint64_t milliseconds;         /* of processor time; 20,000 */
} executions_limits;

typedef enum executions_answer {
    EXECUTIONS_RACE_FREE, /* no execution races */
    EXECUTIONS_RACE,      /* `race` is one that does */
    EXECUTIONS_BOUND,     /* a limit was reached: `why` */
    EXECUTIONS_UNDECIDED, /* something depends on a value that nobody knows, or the interpreter does
                             not know an op: `why`, `where` */
} executions_answer;

typedef struct executions_event { /* one side of a race */
    uint32_t part;
    uint32_t block; /* linear id in its launch */
    const ir_op *op;
    uint32_t n_loops;
    int64_t iterations[INTERP_MAX_LOOPS];
    uint32_t in_tile; /* element number */
    const char *buffer;
    int64_t address; /* bytes in the buffer */
    uint32_t width;
} executions_event;

typedef struct executions_value { /* of a read, or of an element at the end */
    const char *buffer;
    int64_t address;
    uint32_t width;
    bool known;
    uint64_t bits;
    /* of a read */
    uint32_t part, block;
    const ir_op *op;
    uint32_t in_tile;
} executions_value;

typedef struct executions_outcome { /* what one or more executions show */
    bool blocked;                   /* some block waits for ever */
    size_t n_reads, n_left;
    const executions_value *reads; /* by part, block, program order, element */
    const executions_value *left;  /* elements that were written, by buffer and address */
} executions_outcome;

typedef struct executions {
    executions_answer answer;
    const char *why;    /* a sentence, when neither race nor race-free */
    const ir_op *where; /* or NULL */
    executions_event race[2];
    bool blocked; /* some execution has a block that waits for ever */
    uint64_t n_traces, n_candidates, n_executions; /* n_executions: those consistent */
    size_t n_outcomes;                             /* all different; only when wanted */
    const executions_outcome *outcomes;
} executions;

typedef enum executions_goal {
    EXECUTIONS_RACES,        /* does any race? the cheapest question */
    EXECUTIONS_OUTCOMES,     /* all outcomes, unless some execution races */
    EXECUTIONS_ALL_OUTCOMES, /* all outcomes even if some execution races, as if races were no
                                undefined behaviour */
} executions_goal;

/* Finds the executions, for tests. The result lives in `arena`. `choices` and `limits` may be NULL.
 * Where outcomes are wanted every read is given its values, which costs more, and all executions
 * are gone through. */
const executions *executions_find(tr_arena *arena, size_t n_parts, const executions_part *parts,
                                  const model_choices *choices, const executions_limits *limits,
                                  executions_goal goal);

#endif

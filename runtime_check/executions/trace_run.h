/* One block while its traces are found: what the trace*.c share. */
#ifndef EXECUTIONS_TRACE_RUN_H
#define EXECUTIONS_TRACE_RUN_H

#include "executions/trace.h"

#define TRACE_MAX_OPTIONS 64 /* values that one read may give */

typedef struct branching { /* one choice of a run: which of its candidates */
    uint32_t taken, count;
    bool waits;        /* a loop has waited on it */
    uint32_t waits_on; /* the candidate with which it waited first */
} branching;

typedef struct update_read {
    trace_place place;
    uint64_t bits;
    uint32_t number; /* of the op's execution */
} update_read;

typedef struct runner { /* one block while its traces are found */
    trace_search *search;
    uint32_t number; /* of the block in the search */
    branching *path; /* stb_ds */
    size_t at;
    oracle oracle;
    trace_value *options; /* stb_ds: scratch */
    update_read *updates; /* stb_ds: what updates of this run have read */
    bool dead;            /* there was nothing that a read could have given */
} runner;

bool trace_add_value(trace_value **values, trace_value v, size_t limit);
/* Number of a run's buffer in the search. */
int32_t trace_number_of_buffer(const runner *r, const interp_run *run, int32_t buffer);

/* trace_reads.c: the oracle's answers; `user` is the runner. */
bool trace_give(void *user, interp_run *run, const ir_op *op, int32_t buffer, int64_t address,
                int width, uint64_t *bits, bool *known, bool *decided);
bool trace_waits_on(void *user);

/* trace_keep.c: the run as a trace of its block. */
void trace_keep(runner *r, const interp_run *run);

/* trace_learn.c: what a trace tells the next round. */
void trace_learn(trace_search *s, uint32_t block, const trace *t);
/* The run did not end: what it wrote until then may be what it should have read. False: it is
 * not. */
bool trace_learn_unfinished(runner *r, const interp_run *run);
/* The run depends on a value that was left open: from now on it is given. False: on none such. */
bool trace_learn_needs(runner *r, const interp_run *run);

#endif

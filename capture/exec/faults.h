/* Faults that the run of a launch shows: races and undefined behaviour of this run, undefined
 * values that reach an array, elements that no tile block has stored. */
#ifndef EXEC_FAULTS_H
#define EXEC_FAULTS_H

#include "exec/execute.h"

typedef struct faults_query {
    tr_arena *arena;
    const interp_run *run; /* its buffer k is group k */
    const tilerace_kernel *kernel;
    const seen_names *names; /* or NULL */
    const seen_launch *launch;
    size_t n_groups;
    const execute_range *groups;
    bool races; /* also look for races and undefined behaviour, which no proof excludes */
} faults_query;

/* Writes each fault in words, with its place; nothing if there are none. */
void exec_faults_write(const faults_query *query, tr_text *out);

#endif

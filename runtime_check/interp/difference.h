/* Shared by the search for a difference and its presentation. */
#ifndef INTERP_DIFFERENCE_H
#define INTERP_DIFFERENCE_H

#include "interp/schedule_private.h"

typedef struct search {
    tr_arena *arena;
    const ir_function *kernel;
    const concrete_launch *launch;
    const model_choices *choices;
    const interp_limits *limits;
    size_t n_blocks;
    const uint32_t *blocks;
    interp_spent spent;
    bool weak;                                        /* the schedules that differ are */
    void (*visit)(void *user, const interp_run *run); /* or NULL */
    void *user;
} search;

typedef struct pair_of_runs { /* memory differs between the two */
    interp_run *runs[2];
} pair_of_runs;

/* Do two runs end with different contents of some byte that both know? */
bool difference_between(const interp_run *a, const interp_run *b);
/* The result lies in the search's arena. */
interp_difference *difference_describe(search *s, const pair_of_runs *p, size_t at, bool adjacent);

#endif

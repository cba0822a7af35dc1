/* Schedules of launches of one kernel, and what they show. */
#ifndef TESTS_SCHEDULES_TRIAL_H
#define TESTS_SCHEDULES_TRIAL_H

#include "run/target.h"
#include "run/witness.h"
#include "schedules.h"

typedef struct trial { /* one kernel under one contract */
    session *s;
    tr_arena *arena;
    loaded *input;
    loaded_kernel *kernel;
    ir_module *made_up; /* where the kernel before goes */
    const expectation *wants;
    seen *saw;
} trial;

/* Small launches; `more`: of other seeds, and larger ones. Up to what settles the matter. */
void trial_launches(trial *t, bool more);
/* The launches of the races that the checker finds, and launches like them; of a large one the two
 * blocks alone. */
void trial_witnesses(trial *t);
/* All schedules of one launch that races and has few of them: of what no run shows. */
void trial_explore(trial *t);
/* Has been seen what the source says? */
bool trial_fits(const expectation *wants, const seen *saw);

#endif

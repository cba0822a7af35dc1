/* Private to the room: which launches of a kernel are tried. */
#ifndef JUDGE_SAMPLES_H
#define JUDGE_SAMPLES_H

#include "judge/private.h"

typedef struct samples {
    size_t n;
    const concrete_launch **launches; /* the smallest first; in the input's arena */
    const char *why;                  /* there are none: a sentence */
} samples;

/* The launches of the target's report, where it has one, and those that the solver gives for what
 * decides over accesses: stb_ds array, what it points to in the input's arena. The input's solver
 * is asked, within a fixed number of steps. */
tr_give judge_numbers *judge_worst(const run_target *target);

/* Launches that meet the contract, all different: those of j->worst; numbers from its bounds and
 * the kernel's constants, their multiples and neighbours, primes; and one with many tile blocks. */
samples judge_samples(const judging *j, const judged_kernel *k);

/* Only launches of j->worst, twice as many as judge_samples() takes of them. */
samples judge_worst_samples(const judging *j, const judged_kernel *k);
/* The launch as numbers; in the session's arena. */
judge_launch judge_launch_of(const judging *j, const judged_kernel *k,
                             const concrete_launch *launch);

#endif

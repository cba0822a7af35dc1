/* Private to the room: which launches of a kernel are tried. */
#ifndef JUDGE_SAMPLES_H
#define JUDGE_SAMPLES_H

#include "judge/private.h"

typedef struct samples {
    size_t n;
    const interp_launch **launches; /* the smallest first; in the input's arena */
    const char *why;                /* there are none: a sentence */
} samples;

/* Launches that meet the contract, all different: numbers from its bounds and the kernel's
 * constants, their multiples and neighbours, primes; and one with many tile blocks. */
samples judge_samples(const judging *j, const judged_kernel *k);

#endif

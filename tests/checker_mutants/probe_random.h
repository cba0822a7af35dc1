/* Random kernels as subjects of the probe. */
#ifndef PROBE_RANDOM_H
#define PROBE_RANDOM_H

#include "rules/rules.h"

#include <stdint.h>

typedef struct random_kernel { /* what random_kernels makes from the seed */
    uint64_t seed;
    bool sync;
} random_kernel;

/* What it is judged to be. */
verdict_kind random_kernel_verdict(const random_kernel *r);
/* Would random_kernels fail on it? */
bool random_kernel_disagrees(const random_kernel *r);

#endif

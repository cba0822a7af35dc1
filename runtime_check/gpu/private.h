/* Shared by the two processes of a GPU run; no other room includes it. */
#ifndef GPU_PRIVATE_H
#define GPU_PRIVATE_H

#include "gpu/execute.h"

/* The state lies in memory that both processes see. The child alone writes it. */
typedef struct shared_state {
    volatile unsigned runs; /* that came to their end */
    volatile int started;   /* the child has come as far as its first run */
    int driver, capability;
    char gpu[256];
    char why[1024]; /* empty: no failure */
} shared_state;

typedef struct shared_output {
    uint64_t *per_run;
    uint16_t *heat;
    double *spread;
    unsigned char *contents, *other;
} shared_output;

typedef struct shared {
    shared_state *state;
    float *ms;
    shared_output *outputs; /* one entry a buffer; NULLs for inputs */
} shared;

/* The child's work: the driver, the runs, the comparison. What goes wrong is in state->why. */
void gpu_child(const gpu_plan *plan, const shared *memory);

#endif

/* A bar for long work, on a terminal alone: how far, how fast, how long still. */
#ifndef GPU_BAR_H
#define GPU_BAR_H

#include <stdio.h>

#include "base/base.h"

typedef struct gpu_bar {
    FILE *out;        /* written to where it is a terminal */
    const char *what; /* is counted: "runs" */
    int64_t began, drawn;
    bool shown;
} gpu_bar;

/* The clock starts here; work that ends within half a second shows nothing. */
gpu_bar plan_bar_start(FILE *out, const char *what);
/* A gpu_progress; `bar` is a gpu_bar. */
void plan_bar_step(void *bar, unsigned done, unsigned of);
/* Takes the bar off the terminal. */
void plan_bar_end(gpu_bar *bar);

#endif

/* What `tilerace run` says, whichever device ran. */
#ifndef DRIVER_RUN_REPORT_H
#define DRIVER_RUN_REPORT_H

#include "driver/run.h"

typedef struct run_output { /* one buffer that was compared */
    const char *buffer;
    uint64_t elements, differing, first;
    int rank; /* of the shape and of the box; 0: flat */
    uint64_t shape[GPU_MAX_RANK], tile[GPU_MAX_RANK];
    uint64_t low[GPU_MAX_RANK], high[GPU_MAX_RANK]; /* of the differing elements, inside */
    const uint64_t *per_run;
    gpu_agreement agreement;
    double tolerance, max_error;
    uint64_t wrong, first_wrong;
} run_output;

typedef struct run_report {
    const char *file, *kernel, *device; /* "cpu", "gpu" */
    const char *launch;                 /* words; or NULL */
    unsigned runs;
    bool nondeterministic, hang, missed; /* missed: a reference that is not met */
    bool order_dependent;                /* differences that float atomics alone may cause */
    size_t n_outputs;
    run_output *outputs;
    const char *words; /* the verdict line */
    const char *error; /* or NULL */
    const char *gpu;   /* its name; or NULL */
    int driver;
} run_report;

void run_report_of_gpu(tr_arena *arena, const char *file, const char *kernel, const gpu_plan *plan,
                       const gpu_result *result, run_report *report);
void run_report_text(tr_text *out, const run_report *report);
/* An object of the run schema; an array of them for several kernels. */
void run_report_json(tr_text *out, size_t n, const run_report *reports);

int run_execute_plan(session *s, const char *file, const char *kernel, const gpu_plan *plan,
                     run_report *report);
int run_on_interpreter(run_target *target, const gpu_plan *plan, run_report *report);
int run_write_bundle(session *s, const gpu_plan *plan);

#endif

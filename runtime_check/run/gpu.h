/* A plan on a GPU. */
#ifndef RUN_GPU_H
#define RUN_GPU_H

#include "run/report.h"

/* Runs the plan on the GPU; what comes of it is in *report. The exit code, after a complaint where
 * it is EXIT_BAD. */
int run_execute_plan(session *s, const char *file, const char *kernel, const gpu_plan *plan,
                     run_report *report);
/* Writes the plan into the folder of --bundle. The exit code, after a complaint where it is
 * EXIT_BAD.
 */
int run_write_bundle(session *s, const gpu_plan *plan);

#endif

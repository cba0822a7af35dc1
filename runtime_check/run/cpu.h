/* A plan on the interpreter. */
#ifndef RUN_CPU_H
#define RUN_CPU_H

#include "run/report.h"
#include "run/witness.h"

/* Runs the same on the interpreter, schedule after schedule; where the checker reported races, or
 * runs differ, two schedules are shown. */
int run_on_interpreter(run_target *target, const gpu_plan *plan, size_t n_witnesses,
                       const run_witness *witnesses, run_report *report);

#endif

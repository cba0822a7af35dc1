/* Finds who touches which element of a launch. */
#ifndef RUN_BLOCKS_H
#define RUN_BLOCKS_H

#include "run/report.h"
#include "run/witness.h"

/* Finds who touches which element of the launch, by a run of the interpreter; in the session's
 * arena. */
gpu_blocks *run_trace_blocks(const run_target *target, const gpu_plan *plan, size_t n_witnesses,
                             const run_witness *witnesses);
/* Like run_trace_blocks(), and into the report. */
void run_name_blocks(const run_target *target, const gpu_plan *plan, size_t n_witnesses,
                     const run_witness *witnesses, run_report *report);

#endif

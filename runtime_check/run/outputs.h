/* The buffers that a run leaves, as files. */
#ifndef RUN_OUTPUTS_H
#define RUN_OUTPUTS_H

#include "run/target.h"

/* Writes the buffers that one run of the interpreter leaves, of those that the kernel writes, into
 * the folder of --outputs. NULL, or why not: a sentence. */
const char *run_leave_outputs(const run_target *target, const gpu_plan *plan);

#endif

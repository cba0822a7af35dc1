/* What a run leaves in buffers, as files. */
#ifndef RUN_OUTPUTS_H
#define RUN_OUTPUTS_H

#include "run/target.h"

/* What one run of the interpreter leaves in the buffers that the kernel writes goes into the folder
 * of --outputs. NULL, or why not: a sentence. */
const char *run_leave_outputs(const run_target *target, const gpu_plan *plan);

#endif

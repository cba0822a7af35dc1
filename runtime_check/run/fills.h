/* What a launch file says of filling and expecting. */
#ifndef RUN_FILLS_H
#define RUN_FILLS_H

#include "run/target.h"

/* What the launch file says of filling and expecting, into the plan. False with *why. */
bool run_plan_fills(const run_target *target, gpu_plan *plan, const char **why);
/* Does the launch file name a kernel as the reference of an argument? */
bool run_has_reference_kernel(const run_target *target);

#endif

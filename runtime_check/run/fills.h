/* Filling and expecting, as a launch file states them. */
#ifndef RUN_FILLS_H
#define RUN_FILLS_H

#include "run/target.h"

/* Adds to the plan what the launch file states of filling and expecting. False with *why. */
bool run_plan_fills(const run_target *target, gpu_plan *plan, const char **why);
/* Does the launch file name a kernel as the reference of an argument? */
bool run_has_reference_kernel(const run_target *target);

#endif

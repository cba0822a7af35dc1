/* The plan of a launch, and its words. */
#ifndef RUN_PLAN_H
#define RUN_PLAN_H

#include "run/target.h"

/* The elements of a buffer whose pointers point to `elem` (NULL: nobody knows): bytes where they
 * have no format of their own there. */
gpu_element run_element(const ir_type *elem);
/* Does the kernel access memory by pointers that it loads? Those of a launch on a GPU are made by
 * the program that launches it. */
bool run_takes_addresses(const run_target *target);
/* The plan of the launch, without code: buffers with their contents, arguments, grid. Sizes that
 * nobody states are found by running the interpreter. NULL with *why. */
gpu_plan *run_plan(const run_target *target, const char **why);
/* "grid 4 x 1 x 1, M = 128, scale = 0.5"; floats by the plan where there is one. */
const char *run_launch_words(tr_arena *arena, const run_target *target,
                             const concrete_launch *launch, const gpu_plan *plan);

#endif

/* Contents for buffers that a launch leaves open. */
#ifndef LAUNCH_FILL_H
#define LAUNCH_FILL_H

#include "launch/launch.h"

/* Returns the same launch with known contents wherever it left them open and memory is small enough
 * (64 MiB in all; the first MiB of a buffer without an end): finite floats between -2 and 2 that
 * differ from element to element. In the arena. */
const concrete_launch *concrete_fill(tr_arena *arena, const ir_function *kernel,
                                     const concrete_launch *launch, uint64_t seed);

#endif

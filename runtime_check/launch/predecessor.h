/* The kernel that may still run when a launch begins. */
#ifndef LAUNCH_PREDECESSOR_H
#define LAUNCH_PREDECESSOR_H

#include "launch/launch.h"

/* The launch beside the kernel that may still run when it begins, where the contract speaks of one
 * (programmatic dependent launch): made up, one tile block, which copies what it may read into
 * buffers of its own, behind those of the launch, and stores a new value to every element that it
 * may write. Else `launch` itself. In the arena; the made-up kernel goes into `module`, which must
 * live as long. */
const concrete_launch *concrete_with_predecessor(tr_arena *arena, ir_module *module,
                                                 const ir_function *kernel,
                                                 const contract *contract,
                                                 const concrete_launch *launch);

#endif

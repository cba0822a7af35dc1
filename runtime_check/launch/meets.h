/* Does a launch meet everything that a contract states? */
#ifndef LAUNCH_MEETS_H
#define LAUNCH_MEETS_H

#include "launch/launch.h"

/* Does the launch meet all that the contract states: values, grid, and contents of integer buffers,
 * element by element? Made for a launch that is there already, however it was found. False, and
 * *why (a sentence): it does not. */
bool concrete_launch_meets(smt_ctx *ctx, const ir_function *kernel, const contract *contract,
                           const concrete_launch *launch, const char **why);

#endif

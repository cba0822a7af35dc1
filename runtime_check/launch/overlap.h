/* Launches whose arrays overlap, where the contract lets them. */
#ifndef LAUNCH_OVERLAP_H
#define LAUNCH_OVERLAP_H

#include "launch/launch.h"

/* The launch with arrays moved, by `seed`, within the memory that they may share with others as the
 * contract says; a launch that was enumerated has them all begin where that memory begins. NULL
 * when none can be moved. In the arena. */
const concrete_launch *concrete_overlap(tr_arena *arena, smt_ctx *ctx, const ir_function *kernel,
                                        const contract *contract, const concrete_launch *launch,
                                        uint64_t seed);

#endif

/* Kernels whose blocks take turns, and runs of them by schedule. */
#ifndef TESTS_INTERP_TURNS_H
#define TESTS_INTERP_TURNS_H

#include "kit.h"

#include "interp/schedule.h"

KIT how device(ir_ordering ordering)
{
    return (how){ordering, IR_SCOPE_DEVICE};
}

KIT void finish(kit *k, int64_t blocks)
{
    terminate(k, IR_OP_RETURN, 0, NULL);
    ir_renumber(k->f);
    k->launch.grid[0] = blocks;
    k->launch.grid[1] = k->launch.grid[2] = 1;
}

KIT interp_run *scheduled(kit *k, const interp_schedule *schedule)
{
    interp_run_free(k->run);
    k->run = interp_execute_scheduled(k->f, &k->launch, NULL, NULL, 0, NULL, schedule);
    return k->run;
}

KIT loop in_block(kit *k, int64_t number)
{
    return begin_if(k, compare(k, IR_EQ, bid(k, 0), i32(k, number)), 0, NULL);
}

KIT val element(kit *k, int64_t i)
{
    return pointers(k, param(k, 0), i32(k, i));
}

KIT uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

#endif

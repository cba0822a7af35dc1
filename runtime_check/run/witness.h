/* The checker's result on the kernel that is run. */
#ifndef RUN_WITNESS_H
#define RUN_WITNESS_H

#include "run/target.h"

typedef struct run_witness { /* a launch in which two accesses race, as the checker reports it */
    const concrete_launch *launch;
    const ir_op *ops[2]; /* the same one twice where it races with itself */
    uint32_t blocks[2];  /* linear ids */
    const char *words;   /* "TR001 at line 21" */
} run_witness;

/* Checks the kernel: its findings as words ("race: TR001 at line 21") and as witnesses (stb_ds
 * array; release with arrfree). NULL and no witnesses if there is no solver. For a kernel that is
 * race-free if the launch meets more than its contract, *required is that as a launch-contract
 * file; else NULL. */
const char *run_check(run_target *target, run_witness **witnesses, const char **required);
/* The witnesses of this kernel in a report of `check --format json`; appended. False with *why. */
bool run_read_witnesses(const run_target *target, const char *path, run_witness **witnesses,
                        const char **why);

#endif

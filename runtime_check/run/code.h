/* Properties of a kernel that decide how it can be run, and its machine code. */
#ifndef RUN_CODE_H
#define RUN_CODE_H

#include "run/target.h"

/* Does a loop of the kernel read what another tile block may write in order? Then blocks rely on
 * others being started, and may wait for ever where these come later. */
bool run_waits_for_others(const ir_function *kernel);
/* Has it any op by which tile blocks synchronise? */
bool run_synchronises(const ir_function *kernel);
/* Machine code for the plan: the kernel as written and with its block ids reversed. EXIT_CLEAN, or
 * EXIT_BAD after a complaint. */
int run_compile(const run_target *target, gpu_plan *plan);

#endif

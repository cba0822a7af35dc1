/* Guards of the kernels of an input: what holds a launch against a verdict. */
#ifndef CHECKING_GUARDS_H
#define CHECKING_GUARDS_H

#include "contract/guard.h"
#include "inputs/load.h"

/* The elements of each parameter, in the arena. `report` says which the kernel only reads; or NULL.
 */
guard_elements *guards_elements(tr_arena *arena, const loaded_kernel *kernel,
                                const kernel_report *report);
/* A guard of all preconditions in the report. */
const guard *guards_of_all(smt_ctx *ctx, const loaded_kernel *kernel, const kernel_report *report);
/* A guard of how far the kernel reaches in its buffers; NULL: that was not asked for. */
const guard *guards_of_reaches(smt_ctx *ctx, const loaded_kernel *kernel,
                               const kernel_report *report);
/* The first one as characters (guard_carry.h), in the arena. */
const char *guards_carried(tr_arena *arena, smt_ctx *ctx, const loaded_kernel *kernel,
                           const kernel_report *report);

#endif

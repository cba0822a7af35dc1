/* Checks one kernel under its contract, and gives a verdict with findings. */
#ifndef RULES_H
#define RULES_H

#include "ir/ir.h"
#include "solver/prover.h"
#include "verdict/findings.h"
#include "verdict/options.h"

/* Checks one kernel. `c` states facts over contract_param() and contract_grid() variables of `ctx`.
 * The report and all it points to live in `arena` and in the module's arena. */
kernel_report *rules_check(tr_arena *arena, smt_ctx *ctx, smt_prover *prover,
                           const ir_function *kernel, const contract *c,
                           const rules_options *options);

/* Makes fingerprints differ between the signatures that a kernel is compiled for, by this one.
 * Where the kernel has one signature, or none is stated, they stay. */
void rules_tell_apart(kernel_report *kernel, const kernel_signature *signature);

#endif

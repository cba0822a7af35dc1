/* A kernel under what its verdict requires. */
#ifndef RUN_NARROW_H
#define RUN_NARROW_H

#include "run/target.h"

/* The input of `target` once more, under the launch contract in `text`
 * (driver_contract_as_required): what a proof asks of the launch is no race's fault, so a run that
 * breaks it shows nothing. False: it cannot be read so, and there is nothing to release. Else
 * target->input is `input`, to be released by load_free, and target->kernel the kernel of the same
 * name. */
bool run_narrow(run_target *target, const char *text, loaded *input);

#endif

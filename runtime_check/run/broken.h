/* Preconditions that a launch breaks. */
#ifndef RUN_BROKEN_H
#define RUN_BROKEN_H

#include "interp/interp.h"
#include "run/report.h"

/* The preconditions of the verdict that the launch breaks, in the session's arena; *undecided: one
 * of which that is not known, or NULL. */
size_t run_broken_preconditions(const run_target *target, const concrete_launch *launch,
                                const interp_run *run, const run_broken **broken,
                                const char **undecided);

#endif

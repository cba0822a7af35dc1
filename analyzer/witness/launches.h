/* Launches that may be shown. */
#ifndef WITNESS_LAUNCHES_H
#define WITNESS_LAUNCHES_H

#include "question/checker.h"

/* Does the launch meet what is required and presumed of it, as far as values tell? */
bool witness_launch_holds(checker *k, const concrete_launch *launch);
/* Like witness_launch_holds(), but true only where each of these is known to hold, not where none
 * is known to fail: conditions on contents cannot be evaluated. */
bool witness_launch_surely_holds(checker *k, const concrete_launch *launch);
/* Does the run keep the kernel's own assumptions, and meet no undefined behaviour that the requires
 * exclude? */
bool witness_run_is_defined(checker *k, const interp_run *run);
/* Does the launch hold, and is its run defined? The second is seen by a run of the whole launch
 * where that is short. False: *why is the reason. */
bool witness_allows(checker *k, const concrete_launch *launch, const char **why);
/* The contract of natural launches; in the arena but for its `facts`, which the caller frees
 * (arrfree). */
contract *witness_natural_contract(checker *k);
/* The contract, with what is required of contents and what is presumed of indices that say where
 * the kernel writes; in the arena. */
const contract *witness_with_indices(checker *k);
/* The contract, with what is required of contents; in the arena. */
const contract *witness_with_contents(checker *k);

#endif

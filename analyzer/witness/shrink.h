/* A race's launch, made easier to read. */
#ifndef WITNESS_SHRINK_H
#define WITNESS_SHRINK_H

#include "launch/from_contract.h"
#include "launch/launch.h"
#include "question/checker.h"
#include "question/two_events.h"

/* Shows the launch's race by the smallest and plainest launch found that still has it. NULL: the
 * launch is too long to be run whole. `filling`: how the launch's contents were made. */
witness *witness_made_readable(checker *k, const ix_access *a, const ix_access *b,
                               copy_relation relation, const concrete_launch *launch,
                               const interp_filling *filling);

#endif

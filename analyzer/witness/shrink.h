/* A race's launch, made easier to read. */
#ifndef WITNESS_SHRINK_H
#define WITNESS_SHRINK_H

#include "launch/from_contract.h"
#include "launch/launch.h"
#include "question/checker.h"
#include "question/two_events.h"

/* The race of a launch that shows it, by a launch as small and as plain as still shows it; NULL
 * where the launch is too long to be run whole. `filling` is what the launch was made with. */
witness *witness_made_readable(checker *k, const ix_access *a, const ix_access *b,
                               copy_relation relation, const concrete_launch *launch,
                               const interp_filling *filling);

#endif

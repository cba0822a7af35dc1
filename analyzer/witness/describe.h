/* Describes for people what the interpreter saw. */
#ifndef WITNESS_DESCRIBE_H
#define WITNESS_DESCRIBE_H

#include "question/checker.h"

/* The launch, its numbers and contents, without events; in the arena. NULL where the launch breaks
 * what the contract states: every witness passes here, so none that is shown does. */
witness *witness_describe_launch(checker *k, const concrete_launch *launch, const interp_run *run);
/* An access that a race, or another rule, is about. */
witness_event witness_describe_event(checker *k, const concrete_launch *launch,
                                     const interp_run *run, const interp_event *event);
/* An event of undefined behaviour: of an index into a view's index space, or another. */
witness_event witness_describe_undefined(checker *k, const concrete_launch *launch,
                                         const interp_ub *ub, bool index_space);
/* The value that a witness for that contract has of the variable, an extent of the grid or a number
 * that is passed; false: it tells of no such variable. */
bool witness_tells(smt_ctx *ctx, const contract *c, const witness *w, smt_t variable,
                   smt_int *value);

#endif

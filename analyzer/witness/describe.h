/* Describes for people what the interpreter saw. */
#ifndef WITNESS_DESCRIBE_H
#define WITNESS_DESCRIBE_H

#include "question/checker.h"

/* Describes the launch, its numbers and contents, without events; in the arena. NULL where the
 * launch breaks what the contract states. Every witness passes here, so none that is shown does so.
 */
witness *witness_describe_launch(checker *k, const concrete_launch *launch, const interp_run *run);
/* Describes an access that a race, or the finding of another rule, is about. */
witness_event witness_describe_event(checker *k, const concrete_launch *launch,
                                     const interp_run *run, const interp_event *event);
/* Describes an event of undefined behaviour. `index_space`: it is an index outside its view's index
 * space. */
witness_event witness_describe_undefined(checker *k, const concrete_launch *launch,
                                         const interp_ub *ub, bool index_space);
/* Finds the value of the variable in a witness for that contract: an extent of the grid, or a
 * number that is passed. False: the witness does not tell it. */
bool witness_tells(smt_ctx *ctx, const contract *c, const witness *w, smt_t variable,
                   smt_int *value);

#endif

/* A launch that the contract states completely. */
#ifndef WITNESS_WHOLE_LAUNCH_H
#define WITNESS_WHOLE_LAUNCH_H

#include "question/checker.h"

/* Does the contract state the whole launch, and does a run show that no execution of it races, and
 * that nothing in it is undefined but accesses outside their buffers? */
bool whole_launch_is_free(checker *k);
/* Does it also stay within each buffer of stated size and the index space of each view? */
bool whole_launch_is_inside(checker *k);
/* The contract states the whole launch, and a run of it is undefined at this op; else NULL. */
witness *whole_launch_undefined(checker *k, const ir_op *op, bool index_space);

#endif

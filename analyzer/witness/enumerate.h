/* Small launches, tried one by one when the solver has no model to offer. */
#ifndef WITNESS_ENUMERATE_H
#define WITNESS_ENUMERATE_H

#include "question/checker.h"
#include "question/two_events.h"

typedef struct enumerated_first {
    const ir_op *op;
    bool index_space;
    const concrete_launch *launch;
} enumerated_first;

/* A race of the two accesses in a small launch, replayed; NULL: none was seen. */
witness *enumerate_witness(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation);
/* Looks by a few short runs for a race of two accesses that the solver has excluded, so that its
 * answer need not be trusted. NULL: no race was seen. */
witness *enumerate_second_look(checker *k, const ix_access *a, const ix_access *b,
                               copy_relation relation);
/* Finds the first undefined behaviour of each short run, with its launch, and runs them if none has
 * been run. Returns their number. */
size_t enumerate_first_undefined(checker *k, const enumerated_first **first);
/* Is there a launch that is certain to meet all that is required, and whose run shows a race? */
bool enumerate_shows_race(checker *k);
/* Makes a few small launches that meet the contract, in the arena, the most readable first. Returns
 * their number.
 */
size_t enumerate_launches(checker *k, concrete_launch ***launches);
/* A small launch with undefined behaviour of the op, replayed; NULL: none was seen. */
witness *enumerate_undefined(checker *k, const ir_op *op, bool index_space);
/* Forgets which races were seen: another set of launches counts now. */
void enumerate_again(checker *k);
void enumerate_free(checker *k);

#endif

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

witness *enumerate_witness(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation);
/* A race of two accesses of which the solver has said that there is none: a few short runs are
 * cheaper than trust. NULL: none was seen. */
witness *enumerate_second_look(checker *k, const ix_access *a, const ix_access *b,
                               copy_relation relation);
/* The first undefined behaviour of each short run, with its launch; runs them if none has been
 * run. */
size_t enumerate_first_undefined(checker *k, const enumerated_first **first);
/* A launch that is certain to meet all that is required, and whose run shows a race. */
bool enumerate_shows_race(checker *k);
/* A few small launches that meet the contract, those that people read easily first; in the arena.
 */
size_t enumerate_launches(checker *k, concrete_launch ***launches);
/* Like enumerate_launches(), for undefined behaviour of one op. */
witness *enumerate_undefined(checker *k, const ir_op *op, bool index_space);
/* Forgets which races were seen: another set of launches counts now. */
void enumerate_again(checker *k);
void enumerate_free(checker *k);

#endif

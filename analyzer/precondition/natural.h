/* Launches as callers make them. */
#ifndef PRECONDITION_NATURAL_H
#define PRECONDITION_NATURAL_H

#include "question/checker.h"
#include "question/two_events.h"

/* Returns the facts that callers mean by an array: arrays that the kernel writes do not overlap
 * themselves, unless the contract speaks of their strides. */
smt_t require_presumed(checker *k);
/* The condition that the access's index tuple lies in its view's index space. */
smt_t require_in_space(checker *k, const ix_access *a);
/* The condition that there is no undefined behaviour before or at the event. It holds at every
 * launch that meets the requires, as long as each such obligation was proved or became a require.
 */
smt_t require_defined(checker *k, const ix_access *a);
/* The same condition for both events of a pair. */
smt_t require_both_defined(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation);
/* Asks again, for launches as callers make them; *conjuncts grows by what that adds, and
 * k->known.contents.unique by indices that are presumed distinct, which the caller takes off again
 * when nothing is proved. `before` is the answer so far, which is not a proof. Unsatisfiable:
 * proved, with what that takes among the requires. */
smt_answer require_natural(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation, smt_t also, query *conjuncts, const char *name,
                           smt_answer before);
/* Returns, as bits of arguments, the index buffers, whose elements say where the kernel writes.
 * These are meant to be distinct, unless the contract says how they compare or leaves too few
 * values. */
uint64_t require_index_buffers(checker *k);
/* Returns, as bits of arguments, the index buffers of which the contract states that their elements
 * are distinct, and nothing else.
 */
uint64_t require_stated_indices(const checker *k);
/* Does the launch that is looked for break what is required of the argument's contents? Then
 * nothing else is presumed of them. */
bool require_is_left_open(const checker *k, size_t arg);
/* The bytes at a buffer's start within which values of 32 bits wrap. */
#define REQUIRE_NEAR ((smt_int)1 << 31)
/* Returns what holds of launches as callers make them: no undefined behaviour before or at either
 * event, nothing accessed in front of its buffer, no negative index. */
smt_t require_both_natural(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation);

#endif

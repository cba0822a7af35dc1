/* Ranges of the contents of buffers. */
#ifndef PRECONDITION_CONTENTS_RANGE_H
#define PRECONDITION_CONTENTS_RANGE_H

#include "question/checker.h"

/* Requires that every element of the argument's buffer lies in the range, and assumes it from now
 * on. */
void require_contents(checker *k, const contents_range *range);
/* Does an address take elements of the argument's buffer, or what is made of them, as unsigned? */
bool require_reads_unsigned(const checker *k, int arg);
/* The greater of two bounds. A bound may be NULL, which is none; the other one is then the answer.
 */
smt_t require_greater(checker *k, smt_t a, smt_t b);
/* The smaller of two bounds, either of which may be NULL as for require_greater(). */
smt_t require_smaller(checker *k, smt_t a, smt_t b);
/* Requires that the elements of the argument's buffer do not decrease, and assumes it. */
void require_increasing(checker *k, int arg);
/* Requires that the elements of the argument's buffer are the exclusive prefix sum of those of
 * another one, and assumes it. */
void require_prefix_sum(checker *k, int arg, int of);
/* Would the range, which `element` and all others of its buffer shall lie in, leave the launches
 * one tile block on an axis, or one iteration of a loop? */
bool require_range_starves(checker *k, const contents_range *range, smt_t element);
/* Requires ranges of contents under which `safe` holds wherever `path` (and facts) let the event
 * happen; `when` is all that holds before it. False: no such ranges are enough. */
bool require_contents_of_event(checker *k, smt_t safe, smt_t path, smt_t when);

#endif

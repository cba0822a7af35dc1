/* Whether the elements that a launch reads can differ. */
#ifndef PRECONDITION_DIFFER_H
#define PRECONDITION_DIFFER_H

#include "question/checker.h"

/* Can the tuples of elements with one index in the buffers of the arguments all be different, in
 * launches of several tile blocks? The answer for a single argument is kept. */
bool require_may_differ(checker *k, size_t n, const int *args);
/* Can all elements of the argument's buffer be different, as many as the contract gives it? Where
 * they cannot, no buffer can be filled so, however few elements a launch reads. */
bool require_may_all_differ(checker *k, int arg);
/* Can all elements of the argument's buffer for which the condition (on contract_value()) holds be
 * different? */
bool require_kept_may_differ(checker *k, int arg, smt_t when);
/* If the contract says that elements of the argument's buffer differ, do the ranges that are
 * stated, assumed and required of them leave a value for each? */
bool require_range_is_wide(checker *k, int arg);
/* Has the launch several tile blocks on each axis that the kernel reads? */
bool require_has_several(const checker *k, const concrete_launch *launch);

#endif

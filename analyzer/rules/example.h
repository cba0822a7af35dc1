/* The launch that a race precondition excludes. */
#ifndef RULES_EXAMPLE_H
#define RULES_EXAMPLE_H

#include "question/checker.h"

/* Shows, for each race precondition, a race of a launch that breaks it and meets all others. True
 * when there is at least one. To be called after require_finish. */
bool example_show_all(checker *k);
/* A replayed race of a launch that breaks precondition number `which` and no other; NULL: none was
 * found. */
witness *example_find(checker *k, size_t which, bool briefly);
/* Reports the race as the example of precondition number `which`: the race first, then the
 * precondition that excludes it, then what can be done. */
finding *example_report_one(checker *k, size_t which, const obligation_of *pair, witness *w);

#endif

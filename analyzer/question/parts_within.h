/* Parts of what is known that a question needs. */
#ifndef QUESTION_PARTS_WITHIN_H
#define QUESTION_PARTS_WITHIN_H

#include "question/checker.h"

/* The query and the parts of the conjunction `all` whose variables and applications all occur in
 * `core`. A query with fewer facts is often refuted sooner. */
query query_with_parts(checker *k, query q, smt_t all, smt_t core);

#endif

/* A pair whose addresses look up a long table that is stated. */
#ifndef WITNESS_EQUAL_ELEMENTS_H
#define WITNESS_EQUAL_ELEMENTS_H

#include "question/checker.h"
#include "question/two_events.h"

/* The pair where both addresses look up a long table whose elements the contract
 * states one by one. The conjuncts say that the two events meet; *w is set for a race. */
typedef enum equal_outcome { EQUAL_OPEN, EQUAL_NEVER, EQUAL_RACE } equal_outcome;

equal_outcome equal_elements_decide(checker *k, const ix_access *a, const ix_access *b,
                                    copy_relation relation, query conjuncts, const char *name,
                                    witness **w);

#endif

/* A pair whose addresses look up a long table that is stated. */
#ifndef WITNESS_EQUAL_ELEMENTS_H
#define WITNESS_EQUAL_ELEMENTS_H

#include "question/checker.h"
#include "question/two_events.h"

typedef enum equal_outcome {
    EQUAL_OPEN,  /* not decided */
    EQUAL_NEVER, /* the events never meet */
    EQUAL_RACE   /* a race, replayed */
} equal_outcome;

/* Decides a pair both of whose addresses look up a long table that the contract states element by
 * element. The conjuncts say that the two events meet; *w is set for EQUAL_RACE. */
equal_outcome equal_elements_decide(checker *k, const ix_access *a, const ix_access *b,
                                    copy_relation relation, query conjuncts, const char *name,
                                    witness **w);

#endif

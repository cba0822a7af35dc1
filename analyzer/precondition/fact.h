/* A fact about the launch as a precondition. */
#ifndef PRECONDITION_FACT_H
#define PRECONDITION_FACT_H

#include "precondition/life.h"
#include "question/checker.h"
#include "question/two_events.h"

/* Can two events of the pair, with `also`, still happen in a launch of which the fact holds? */
require_answer require_reaches(checker *k, const ix_access *a, const ix_access *b,
                               copy_relation relation, smt_t also, smt_t fact);
/* Requires the fact, with its own text and contract fragment. */
void require_add_fact(checker *k, precondition_kind kind, smt_t fact);

#endif

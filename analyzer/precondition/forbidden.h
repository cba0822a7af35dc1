/* Facts that a precondition may never state. */
#ifndef PRECONDITION_FORBIDDEN_H
#define PRECONDITION_FORBIDDEN_H

#include "precondition/life.h"
#include "question/checker.h"

/* May the fact be asked of the launch to keep the pair apart? ADMITTED also says that both events
 * can still happen, in a launch with several of everything. */
require_answer require_admits(checker *k, query life, const ix_access *a, const ix_access *b,
                              smt_t fact);
/* Does a part of the fact relate extents of the two accesses to each other, and nothing else? */
bool require_relates_extents(checker *k, const ix_access *a, const ix_access *b, smt_t fact);

#endif

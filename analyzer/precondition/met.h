/* Whether any launch meets all of them. */
#ifndef PRECONDITION_MET_H
#define PRECONDITION_MET_H

#include "question/checker.h"

/* Does a launch meet the contract and all preconditions, as they are shown? */
bool require_is_met(checker *k);

#endif

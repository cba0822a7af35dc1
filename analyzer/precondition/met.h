/* Whether any launch meets the contract and all preconditions. */
#ifndef PRECONDITION_MET_H
#define PRECONDITION_MET_H

#include "question/checker.h"

/* Does some launch meet the contract and all preconditions as they are shown? False where none was
 * found although there are launches that meet the rest. */
bool require_is_met(checker *k);

#endif

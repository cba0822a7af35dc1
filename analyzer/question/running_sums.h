/* Facts about the running sums that a block makes of a tile. */
#ifndef QUESTION_RUNNING_SUMS_H
#define QUESTION_RUNNING_SUMS_H

#include "question/checker.h"

/* Adds the same of the sums that a block makes of a tile. */
void running_sums_add(checker *k, query *conjuncts);

#endif

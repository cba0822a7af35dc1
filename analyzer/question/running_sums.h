/* Facts about the running sums that a block makes of a tile. */
#ifndef QUESTION_RUNNING_SUMS_H
#define QUESTION_RUNNING_SUMS_H

#include "question/checker.h"

/* Adds what the running sums that the question speaks of say of each other. */
void running_sums_add(checker *k, query *conjuncts);

#endif

/* Facts of prefix sums about each other, among the elements of a question. */
#ifndef QUESTION_PREFIX_SUM_H
#define QUESTION_PREFIX_SUM_H

#include "question/checker.h"

/* Adds to k->apps the offsets that belong to the lengths in it. */
void prefix_sum_complete(checker *k);
/* Adds what prefix sums among k->apps say of each other. */
void prefix_sum_add(checker *k, query *conjuncts);

#endif

/* Facts about a launch beyond the contract that the check assumes. */
#ifndef QUESTION_ASSUMED_H
#define QUESTION_ASSUMED_H

#include "question/checker.h"

/* Makes the fact known to every later question. No precondition states it. */
void assume_given(checker *k, smt_t fact);

/* Every question from now on assumes that the contents lie in the range, too. */
void assume_range(checker *k, contents_range range);
/* Assumes the range in place of the first one that was assumed of its argument, or adds it. */
void assume_one_range(checker *k, contents_range range);
/* Drops the ranges assumed of the arguments whose bits are set, and of all arguments from number 64
 * on. */
void assume_no_range(checker *k, uint64_t args);
/* Every question from now on assumes that the tuples differ, too. */
void assume_tuple(checker *k, contents_tuple tuple);
/* Drops the tuples assumed of the argument. */
void assume_no_tuple(checker *k, int arg);

#endif

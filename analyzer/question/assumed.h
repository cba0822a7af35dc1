/* Facts about a launch beyond the contract that the check assumes. */
#ifndef QUESTION_ASSUMED_H
#define QUESTION_ASSUMED_H

#include "question/checker.h"

/* Every later question may use this, which no precondition states. */
void assume_given(checker *k, smt_t fact);

/* Every question from now on assumes that the contents lie in the range, too. */
void assume_range(checker *k, contents_range range);
/* Assumes this range in place of what was assumed of that argument first. */
void assume_one_range(checker *k, contents_range range);
/* No range of these arguments is assumed any more; bits, of arguments from 64 on none is. */
void assume_no_range(checker *k, uint64_t args);
/* Every question from now on assumes that the tuples differ, too; and none of those of `arg`. */
void assume_tuple(checker *k, contents_tuple tuple);
void assume_no_tuple(checker *k, int arg);

#endif

/* Elements that the contract states one by one. */
#ifndef QUESTION_EXACT_CONTENTS_H
#define QUESTION_EXACT_CONTENTS_H

#include "question/checker.h"

/* The contract's fact on the element with that index, if the contract states the elements one by
 * one; NULL: nothing that is of use. */
smt_t contents_exact_fact(checker *k, const contract_arg *arg, smt_t index, smt_t element);
/* Like contents_exact_fact(), for two elements a and b, with indices i and j: which of them can be
 * equal. */
smt_t contents_exact_pair(checker *k, const contract_arg *arg, smt_t i, smt_t j, smt_t a, smt_t b);
/* Are the elements of the argument's buffer stated one by one? Nothing can be asked of them then:
 * they are what they are. */
bool contents_are_exact(const checker *k, int arg);
/* Are the elements of the argument's buffer bools? */
bool contents_are_bools(const checker *k, int arg);
/* Can nothing be asked of the elements of the argument's buffer: are they stated one by one, or
 * bools, of which each may be either? */
bool contents_are_given(const checker *k, int arg);

#endif

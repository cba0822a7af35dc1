/* Facts of the contract on the contents of buffers, for the elements in a question. */
#ifndef QUESTION_CONTENTS_H
#define QUESTION_CONTENTS_H

#include "question/checker.h"

/* The argument whose contract speaks of the launch-time contents that an application reads; NULL
 * when none does. Its element's number, counted from the parameter on; is that in the extent? */
const contract_arg *contents_facts_of(const checker *k, smt_t app);
smt_t contents_index_of(checker *k, const contract_arg *arg, smt_t app);
/* Does an element, read as the signed number `value` of so many bits, lie between the bounds
 * (either may be NULL)? Contracts speak of the number that the host stored, which may be unsigned:
 * where its two readings differ, what is stated is taken for the one that can hold it. */
smt_t contents_between(checker *k, smt_t value, int bits, smt_t index, smt_t low, smt_t high);
/* Width of the elements whose launch-time contents the application stands for. */
int contents_bits_of(smt_t app);
/* The contract gives the argument's buffer an element with that index, which may be `value`, read
 * as a signed number of so many bits. */
smt_t contents_stated_of(checker *k, const contract_arg *arg, int bits, smt_t index, smt_t value);
/* The number that the contract speaks of where the element is `value`, read as a signed one. */
smt_t contents_as_stated(checker *k, const contract_contents *facts, int bits, smt_t value);
smt_t contents_in_extent(checker *k, const contract_arg *arg, smt_t index);
/* The query without what is always true, and the instances of the contract's facts on contents that
 * it calls for; k->apps are the elements that it speaks of. Its terms are in that arena. */
query contents_with_facts(checker *k, tr_arena *arena, query q);
/* The argument whose contents they are the prefix sum of, as stated or required; -1: none. */
int contents_prefix_of(const checker *k, const contract_arg *arg);
bool contents_increase(const checker *k, const contract_arg *arg);
bool contents_are_ordered(const checker *k, const contract_arg *arg); /* or assumed to be */

#endif

/* Facts of the contract on the contents of buffers, for the elements in a question. */
#ifndef QUESTION_CONTENTS_H
#define QUESTION_CONTENTS_H

#include "question/checker.h"

/* The argument whose contract speaks of the launch-time contents that an application reads; NULL
 * when none does. */
const contract_arg *contents_facts_of(const checker *k, smt_t app);
/* The number of the element that the application reads, counted from the parameter on. */
smt_t contents_index_of(checker *k, const contract_arg *arg, smt_t app);
/* Does an element, read as the signed number `value` of so many bits, lie between the bounds
 * (either may be NULL)? Contracts speak of the number that the host stored, which may be unsigned:
 * where the signed and the unsigned reading differ, the statement is about the one that can hold
 * the stated bounds. */
smt_t contents_between(checker *k, smt_t value, int bits, smt_t index, smt_t low, smt_t high);
/* Width of the elements whose launch-time contents the application stands for. */
int contents_bits_of(smt_t app);
/* The contract gives the argument's buffer an element with that index, which may be `value`, read
 * as a signed number of so many bits. */
smt_t contents_stated_of(checker *k, const contract_arg *arg, int bits, smt_t index, smt_t value);
/* The number, as the contract counts it, of an element that is `value` when it is read as signed.
 */
smt_t contents_as_stated(checker *k, const contract_contents *facts, int bits, smt_t value);
/* The condition that the index lies in the extent of the argument's buffer. */
smt_t contents_in_extent(checker *k, const contract_arg *arg, smt_t index);
/* Returns the query without terms that are always true, and with the contract's facts on the
 * contents of the elements that it speaks of; these elements are then in k->apps. The list is in
 * `arena`. */
query contents_with_facts(checker *k, tr_arena *arena, query q);
/* The argument of whose contents the argument's own are the prefix sum, as stated or required; -1:
 * there is none. */
int contents_prefix_of(const checker *k, const contract_arg *arg);
/* Do the elements of the argument's buffer not decrease, as stated or as follows from prefix sums?
 */
bool contents_increase(const checker *k, const contract_arg *arg);
/* Do they not decrease, as contents_increase() says or as is assumed? */
bool contents_are_ordered(const checker *k, const contract_arg *arg);

#endif

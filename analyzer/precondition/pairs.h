/* Preconditions of pairs: what one pair of accesses needs is no fact in the next pair's questions.
 */
#ifndef PRECONDITION_PAIRS_H
#define PRECONDITION_PAIRS_H

#include "precondition/propose.h"
#include "question/checker.h"

/* Enters a pair: until it is left, questions use the facts that every pair may use, and nothing
 * that was found for another pair. When the pair is left, what was found for it joins the rest. */
void require_enter_pair(checker *k);
void require_leave_pair(checker *k);
/* While a pair is decided, exchanges the facts that it may use for those found for all pairs before
 * it. A second call exchanges them back. */
void require_swap_found(checker *k);
/* The preconditions found so far, as one fact. */
smt_t require_found_facts(checker *k);
/* Shares k->known.presumed with the other pairs. To be called when it was found. */
void require_share_presumed(checker *k);
/* The candidates found for the pairs before this one; stb_ds array. */
candidate *require_found(checker *k);

#endif

/* Preconditions of pairs: one that a pair of accesses needs is no fact of the next pair's question.
 */
#ifndef PRECONDITION_PAIRS_H
#define PRECONDITION_PAIRS_H

#include "precondition/propose.h"
#include "question/checker.h"

/* From here on the checker's questions use what every pair may use, and nothing that was found for
 * another pair; until the pair is left, when what was found for it joins the rest. */
void require_enter_pair(checker *k);
void require_leave_pair(checker *k);
/* While a pair is decided: exchanges what it may use for what was found for all pairs before it;
 * the second call exchanges them back. */
void require_swap_found(checker *k);
/* The preconditions found so far, as one fact. */
smt_t require_found_facts(checker *k);
/* Called when k->known.presumed was found: other pairs may presume the same. */
void require_share_presumed(checker *k);
/* The candidates found for the pairs before this one; stb_ds array. */
candidate *require_found(checker *k);

#endif

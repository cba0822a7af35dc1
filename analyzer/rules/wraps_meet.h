/* Tile blocks that meet by values that wrap. */
#ifndef RULES_WRAPS_MEET_H
#define RULES_WRAPS_MEET_H

#include "question/checker.h"

/* A replayed race of the two accesses by such a value; NULL: none was found. */
witness *wraps_witness(checker *k, const ix_access *a, const ix_access *b);
/* k->s has machine values where `exact` has the exact ones, and launches of more blocks than
 * `bound` allows have values that wrap; it speaks of the launch's grid by its
 * name (contract_grid) where what is known of the extent would fold it. Do two of their blocks
 * meet? These go into k->wraps.meetings. */
bool wraps_any_meet(checker *k, const summary *exact, smt_t bound);

#endif

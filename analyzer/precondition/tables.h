/* Tables that the kernel looks things up in. */
#ifndef PRECONDITION_TABLES_H
#define PRECONDITION_TABLES_H

#include "precondition/propose.h"
#include "question/checker.h"

/* Proposes that the number that stands for nowhere in the access's address is nowhere. */
void require_look_at_nowhere(checker *k, const ix_access *a, require_proposal propose,
                             void *search);
/* Proposes facts about the tables and clamps in the access's address. */
void require_look_at_tables(checker *k, const ix_access *a, require_proposal propose, void *search);
/* The access happens only where contents < some end that is the same for the launch (and 0 <=
 * contents, where it is masked there too), or where other conditions on the element and the launch
 * hold: the condition on an element (contract_value()); NULL: there is none. */
smt_t require_masked_below(checker *k, const ix_access *a, smt_t contents);
/* Asks by cases: two elements of contents that are required to be unique are one, or are not. */
smt_verdict require_ask_by_index(checker *k, query conjuncts);
/* Adds: no two elements of the argument's buffer are equal, among those for which `when` holds. */
void require_unique(checker *k, int arg, smt_t when);
/* Adds: no two indices have equal elements in the buffers of the argument and of those `with` it.
 */
void require_unique_tuple(checker *k, int arg, size_t n, const int *with);
/* Locks and flags that are masked at the end of their table are never masked: a fact, or true. */
smt_t require_tables_hold(checker *k);
/* Are the two ordered when the tables of locks and flags are long enough, locks are free at launch
 * and the accessed arrays do not overlap themselves? Then what it takes of that is required. And
 * `rows`, how strides and extents compare (or true), which the caller has found to be admitted. */
bool require_order(checker *k, const ix_access *a, const ix_access *b, smt_t rows);

#endif

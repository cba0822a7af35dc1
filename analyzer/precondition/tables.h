/* Tables that the kernel looks things up in. */
#ifndef PRECONDITION_TABLES_H
#define PRECONDITION_TABLES_H

#include "precondition/propose.h"
#include "question/checker.h"

/* Proposes that the number by which the access's address stands for "nowhere" is out of range. */
void require_look_at_nowhere(checker *k, const ix_access *a, require_proposal propose,
                             void *search);
/* Proposes facts about the tables and clamps in the access's address. */
void require_look_at_tables(checker *k, const ix_access *a, require_proposal propose, void *search);
/* Returns the condition on an element (contract_value()) under which the access happens: `contents`
 * is below some end that is the same for the launch, and not negative where the access is masked
 * there too, or other conditions on the element and the launch hold. NULL: there is none. */
smt_t require_masked_below(checker *k, const ix_access *a, smt_t contents);
/* Asks by two cases: two elements of contents that are required to be unique are one element, or
 * are not. */
smt_verdict require_ask_by_index(checker *k, query conjuncts);
/* Requires that no two elements of the argument's buffer for which `when` holds are equal. */
void require_unique(checker *k, int arg, smt_t when);
/* Requires that no two indices have equal elements in the argument's buffer and in the buffers of
 * all arguments in `with`.
 */
void require_unique_tuple(checker *k, int arg, size_t n, const int *with);
/* The fact that locks and flags which are masked at the end of their table are never masked; true
 * where nothing is to be required. */
smt_t require_tables_hold(checker *k);
/* Is it proved that the two are ordered when the tables of locks and flags are long enough, locks
 * are free at launch, and the accessed arrays do not overlap themselves? Then the part of this that
 * the proof needs is required, with `rows`: how strides and extents compare (or true), which the
 * caller has found to be admitted. */
bool require_order(checker *k, const ix_access *a, const ix_access *b, smt_t rows);

#endif

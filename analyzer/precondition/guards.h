/* Guards that a fact would keep from guarding. */
#ifndef PRECONDITION_GUARDS_H
#define PRECONDITION_GUARDS_H

#include "question/checker.h"
#include "question/two_events.h"

/* Returns which of the access's guards that are `asked` for, by bits, may let nothing through in
 * some event of a launch of which the fact, and what is assumed of contents, holds. */
uint32_t require_guards_open(checker *k, const ix_access *a, smt_t fact, uint32_t asked);
/* Is the pair, a question about two events of which the access has copy number `copy`, refuted once
 * one of the guards that are `asked` for lets through one or two elements less? */
bool require_guards_too_wide(checker *k, const ix_access *a, uint32_t asked, copy_relation relation,
                             int copy, query pair);
/* The guards that share a quantity with the fact, or speak of contents. */
uint32_t require_guards_about(checker *k, const ix_access *a, smt_t fact);
/* The range of the elements of the argument's buffer has the end `end`. Returns a fact about the
 * launch without which guards of the access that bound such an element on that side let more
 * through. */
smt_t require_guarded_ends(checker *k, const ix_access *a, int arg, bool upper, smt_t end);

#endif

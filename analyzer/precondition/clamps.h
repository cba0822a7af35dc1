/* Clamps and choices in an address, which a precondition may not decide. */
#ifndef PRECONDITION_CLAMPS_H
#define PRECONDITION_CLAMPS_H

#include "question/checker.h"
#include "question/two_events.h"

/* Returns which sides of the clamps and remainders in the access's address are taken in some launch
 * of which the fact, and what is assumed of contents, holds: two bits for each. One that a `masked`
 * event takes without the fact has to be taken with it, if only where the mask lets nothing
 * through. */
uint32_t require_sides_taken(checker *k, const ix_access *a, smt_t fact, bool masked);
/* Does the fact leave only one side of some clamp in the address, both of which are taken without
 * it, or keep a remainder from wrapping round that does so without it? */
bool require_stops_clamping(checker *k, const ix_access *a, smt_t fact);
/* Does the fact leave only one side of a choice in the access's address that depends on the launch
 * alone, such as `min(n, 8)`, although launches whose parameters are sizes take both sides? */
bool require_stops_choosing(checker *k, const ix_access *a, smt_t fact);
/* The part of a condition that is not about the clamped value. */
smt_t require_without(checker *k, smt_t condition, smt_t clamp);

#endif

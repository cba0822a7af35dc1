/* Facts that a precondition may never state. */
#ifndef PRECONDITION_FORBIDDEN_H
#define PRECONDITION_FORBIDDEN_H

#include "question/checker.h"
#include "question/two_events.h"

/* Would the fact, with all that is known of the launch, leave one block on an axis that may have
 * several now? Or on one of several axes that may have several blocks at once now? That would hide
 * races. The first function looks at some of the axes, the second at all. */
bool require_forces_some(checker *k, smt_t fact, const bool *axes);
bool require_forces_axis(checker *k, smt_t fact);
/* Do the fact and the other one speak of a common quantity, or of quantities that known facts on
 * the launch relate? */
bool require_bears_on(checker *k, smt_t fact, smt_t other);

typedef enum require_answer {
    REQUIRE_ADMITTED,
    REQUIRE_FORBIDDEN,
    REQUIRE_OPEN, /* the prover has no answer */
} require_answer;

/* Conditions under which both events of the pair happen in a launch with several of everything that
 * can be several: tile blocks on each axis, iterations, sizes. */
query require_life(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                   smt_t also);
/* May the fact be asked of the launch to keep the pair apart? ADMITTED also says that both events
 * can still happen, in a launch with several of everything. */
require_answer require_admits(checker *k, query life, const ix_access *a, const ix_access *b,
                              smt_t fact);
/* The part of require_admits() that asks whether several of everything is left. `life` may have
 * further conditions; what is assumed of contents counts. */
require_answer require_leaves_life(checker *k, query life, smt_t fact);
/* Returns which sides of the clamps and remainders in the access's address are taken in some launch
 * of which the fact, and what is assumed of contents, holds: two bits for each. One that a `masked`
 * event takes without the fact has to be taken with it, if only where the mask lets nothing
 * through. */
uint32_t require_sides_taken(checker *k, const ix_access *a, smt_t fact, bool masked);
/* Does the fact leave only one side of a choice in the access's address that depends on the launch
 * alone, such as `min(n, 8)`, although launches whose parameters are sizes take both sides? */
bool require_stops_choosing(checker *k, const ix_access *a, smt_t fact);
/* Does a part of the fact relate extents of the two accesses to each other, and nothing else? */
bool require_relates_extents(checker *k, const ix_access *a, const ix_access *b, smt_t fact);
/* The part of a condition that is not about the clamped value. */
smt_t require_without(checker *k, smt_t condition, smt_t clamp);

#endif

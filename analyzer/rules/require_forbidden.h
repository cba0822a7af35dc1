/* Private to rules: which facts a verdict may not ask of the launch, although they would prove an
 * obligation. */
#ifndef RULES_REQUIRE_FORBIDDEN_H
#define RULES_REQUIRE_FORBIDDEN_H

#include "rules/require_search.h"

typedef enum require_answer {
    REQUIRE_ADMITTED,
    REQUIRE_FORBIDDEN,
    REQUIRE_OPEN, /* the prover has no answer */
} require_answer;

/* Conditions under which both events of the pair happen in a launch with several of everything that
 * can be several: tile blocks on each axis, iterations, sizes. stb_ds array, which the caller
 * frees (arrfree). */
smt_t *require_life(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                    smt_t also);
/* May the fact be asked of the launch to keep the pair apart? ADMITTED also says that both events
 * can still happen, in a launch with several of everything. */
require_answer require_admits(checker *k, const smt_t *life, const ix_access *a, const ix_access *b,
                              smt_t fact);
/* The part of it that asks whether several of everything is left: `life` may have further
 * conditions. What is assumed of contents counts. */
require_answer require_leaves_life(checker *k, const smt_t *life, smt_t fact);
/* Which sides of the clamps and remainders in the access's address are taken in some launch of
 * which the fact, and what is assumed of contents, holds: two bits for each. One that a `masked`
 * event takes without the fact has to be taken with it, if only where the mask lets nothing
 * through. */
uint32_t require_sides_taken(checker *k, const ix_access *a, smt_t fact, bool masked);
/* Does the fact leave one side of a choice that the launch makes of what the access's address has,
 * as `min(n, 8)`, where launches of sizes come to both? */
bool require_stops_choosing(checker *k, const ix_access *a, smt_t fact);

/* ---- require_multiples.c ---- */

/* Does no launch meet the fact in which each parameter is a multiple of the numbers that the fact
 * divides it by, though such launches are stated to be possible? */
bool require_is_odd(checker *k, smt_t fact);

/* ---- require_guards.c ---- */

/* Which of the access's guards that are `asked` for, by bits, may let nothing through in some event
 * of a launch of which the fact, and what is assumed of contents, holds. */
uint32_t require_guards_open(checker *k, const ix_access *a, smt_t fact, uint32_t asked);
/* Those that speak of what the fact speaks of, or of contents. */
uint32_t require_guards_about(checker *k, const ix_access *a, smt_t fact);

/* The range of the elements of that argument's buffer ends there. Guards of the access that bound
 * such an element on that side let more through, unless the fact holds: it is about the launch. */
smt_t require_guarded_ends(checker *k, const ix_access *a, int arg, bool upper, smt_t end);

/* ---- require_forbidden.c ---- */

/* Does a part of the fact relate extents of the two accesses with each other and nothing else? */
bool require_relates_extents(checker *k, const ix_access *a, const ix_access *b, smt_t fact);

/* What of a condition does not speak of the clamped value. */
smt_t require_without(checker *k, smt_t condition, smt_t clamp);

#endif

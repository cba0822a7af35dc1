/* Launches with several of everything, which a precondition has to leave. */
#ifndef PRECONDITION_LIFE_H
#define PRECONDITION_LIFE_H

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

/* Adds the parameters and grid extents in the term to the stb_ds array, each once. */
void require_add_sizes(checker *k, smt_t term, smt_t **sizes);
/* Those in the addresses, masks and paths of two accesses. The caller frees the stb_ds array. */
smt_t *require_sizes_in(checker *k, const ix_access *a, const ix_access *b);
/* Keeps `wish` among the conditions of the life where a launch meets all of them. */
void require_wish_for(checker *k, query *life, smt_t wish);

enum { REQUIRE_MOST_WISHES = 24 };

/* Conditions under which both events of the pair happen in a launch with several of everything that
 * can be several: tile blocks on each axis, iterations, sizes. */
query require_life(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                   smt_t also);
/* Can both events still happen in a launch with several of everything of which the fact holds, and
 * does the fact leave each parameter more than one value? `life` may have further conditions; what
 * is assumed of contents counts. */
require_answer require_leaves_life(checker *k, query life, smt_t fact);

#endif

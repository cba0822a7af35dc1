/* Chooses which of the candidates a proof takes. */
#ifndef PRECONDITION_CHOOSE_H
#define PRECONDITION_CHOOSE_H

#include "precondition/propose.h"
#include "question/checker.h"
#include "question/two_events.h"

typedef struct require_obligation {
    const ix_access *a, *b;
    copy_relation relation;
    smt_t also;
    query conjuncts;
    smt_model **refuting; /* stb_ds array: models of what was not proved */
    query life;           /* see require_life; {0}: not asked yet */
    uint32_t sides[2];    /* of a and b: see require_sides_taken; 0: not asked yet */
} require_obligation;

/* Chooses a smallest set of candidates that proves the obligation: a single one if one is enough,
 * else all of them without those that are not needed. A candidate with which the pair never happens
 * does not count. False where all together do not prove it. */
bool require_choose(checker *k, require_obligation *o, const candidate *candidates, bool *kept);
/* May the launch be asked for the kept candidates? False where the prover has no answer. */
bool require_may_ask(checker *k, require_obligation *o, const candidate *candidates,
                     const bool *kept);
/* From now on assumes what the candidate says of contents. */
void require_assume_contents(checker *k, const candidate *c);
/* Requires what the candidate says. */
void require_accept(checker *k, const candidate *c);
/* May every axis that the kernel reads still have two blocks with these facts, if it could before?
 */
bool require_leaves_axes(checker *k, smt_t facts);

#endif

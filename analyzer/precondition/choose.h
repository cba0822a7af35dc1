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

/* A smallest set of candidates that proves it: one alone if one does, else all of them, less each
 * that is not needed. One that proves it because nothing is left to prove is none. False when all
 * together do not. */
bool require_choose(checker *k, require_obligation *o, const candidate *candidates, bool *kept);
/* May the launch be asked for the kept candidates? */
bool require_may_ask(checker *k, require_obligation *o, const candidate *candidates,
                     const bool *kept);
/* Assumes what the candidate says of contents, from now on. */
void require_assume_contents(checker *k, const candidate *c);
/* Requires what the candidate says. */
void require_accept(checker *k, const candidate *c);
/* Every axis that the kernel reads may still have two blocks, where it could before. */
bool require_leaves_axes(checker *k, smt_t facts);

#endif

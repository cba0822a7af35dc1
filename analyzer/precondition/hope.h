/* Preconditions that may be enough, or may be asked for, without the prover having said so. */
#ifndef PRECONDITION_HOPE_H
#define PRECONDITION_HOPE_H

#include "precondition/propose.h"
#include "question/checker.h"

/* Begins with no precondition that is hoped for. */
void hope_begin(checker *k);
/* Hopes that the launch meets all kept candidates together. `base`: what is known of contents
 * without them; `why`: the reason why the prover had no answer. */
void hope_for(checker *k, const candidate *candidates, const bool *kept, const known_contents *base,
              smt_unknown_kind why);
/* Hopes for one fact about the launch's numbers in the same way. */
void hope_for_fact(checker *k, smt_t fact, smt_unknown_kind why);

/* Is any precondition hoped for? */
static inline bool hope_is_left(const checker *k)
{
    return k->hoped.facts != NULL;
}

#endif

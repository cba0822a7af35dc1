/* Decides which launch preconditions a proof about two accesses may use. */
#ifndef RULES_ENFORCED_H
#define RULES_ENFORCED_H

#include "question/checker.h"

/* Takes the launch preconditions that a defined launch may break out of the facts that proofs use.
 * To be called once, when undefined behaviour is decided. */
void enforced_keep(checker *k);
/* Facts about the launches that undefined behaviour leaves, with no value that wraps by definition
 * among them. Sets `only_wraps`. */
smt_t enforced_kept_without_wraps(checker *k);
/* A launch that races is defined, so what it breaks was no condition of being defined. Such a
 * precondition is printed as the sentence that it was asked for ("every access lies in its
 * buffer"), or not at all where it has no such sentence. */
void enforced_drop_broken(checker *k);

#endif

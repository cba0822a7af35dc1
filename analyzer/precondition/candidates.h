/* Facts that a proof might ask of the launch. */
#ifndef PRECONDITION_CANDIDATES_H
#define PRECONDITION_CANDIDATES_H

#include "precondition/propose.h"
#include "question/checker.h"

/* Returns the candidates for the pair that are about quantities which the contract leaves open:
 * stb_ds array, weakest first. */
candidate *require_candidates(checker *k, const ix_access *a, const ix_access *b);

#endif

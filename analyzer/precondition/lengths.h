/* Rows that are filled up to a length. */
#ifndef PRECONDITION_LENGTHS_H
#define PRECONDITION_LENGTHS_H

#include "precondition/propose.h"
#include "question/checker.h"

/* Proposes that rows at a pitch are not filled beyond it. */
void require_look_at_lengths(checker *k, const ix_access *a, require_proposal propose,
                             require_length_proposal propose_length, void *search);

#endif

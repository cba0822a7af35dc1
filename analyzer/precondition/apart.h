/* Accesses to one buffer that lie a size apart. */
#ifndef PRECONDITION_APART_H
#define PRECONDITION_APART_H

#include "precondition/propose.h"
#include "question/checker.h"

/* Proposes facts by which two accesses that lie a size apart do not meet. */
void require_look_at_apart(checker *k, const ix_access *a, const ix_access *b,
                           require_proposal propose, void *search);

#endif

/* Notes what answers rest on beyond what is known of the launch.
 *
 * Who answers a question notes here what the answer takes for granted. The rooms above make
 * preconditions and choices of the model of it (precondition/added.h); nobody below adds to a
 * verdict. */
#ifndef QUESTION_BASIS_H
#define QUESTION_BASIS_H

#include "question/checker.h"

/* Notes it, once. */
void basis_add(checker *k, basis_kind kind, int which);

#endif

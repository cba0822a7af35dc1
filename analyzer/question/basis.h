/* Notes what answers rest on beyond what is known of the launch.
 *
 * The code that answers a question notes here what the answer takes for granted. The rooms above
 * turn these notes into preconditions and choices of the model (precondition/added.h); no room
 * below adds to a verdict. */
#ifndef QUESTION_BASIS_H
#define QUESTION_BASIS_H

#include "question/checker.h"

/* Notes the item, unless it is noted already. */
void basis_add(checker *k, basis_kind kind, int which);

#endif

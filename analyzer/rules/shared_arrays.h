/* Launches whose lists of arrays name one array twice. */
#ifndef RULES_SHARED_ARRAYS_H
#define RULES_SHARED_ARRAYS_H

#include "question/checker.h"

/* A race of a launch in which entries of a list of arrays name one array, against `what`; NULL:
 * none was found. */
witness *shared_arrays_require(checker *k, const precondition *what, obligation_of *pair);

#endif

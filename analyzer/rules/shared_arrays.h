/* Launches whose lists of arrays name one array twice. */
#ifndef RULES_SHARED_ARRAYS_H
#define RULES_SHARED_ARRAYS_H

#include "question/checker.h"

/* A race of a launch that breaks the precondition `what`, since entries of a list of arrays name
 * one array; NULL: none was found. */
witness *shared_arrays_require(checker *k, const precondition *what, obligation_of *pair);

#endif

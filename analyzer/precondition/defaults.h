/* Standing assumptions if the contract says nothing. */
#ifndef PRECONDITION_DEFAULTS_H
#define PRECONDITION_DEFAULTS_H

#include "question/checker.h"

/* Adds these assumptions to the preconditions of the verdict. */
void require_defaults(checker *k);

#endif

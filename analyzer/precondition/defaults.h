/* Standing assumptions if the contract says nothing. */
#ifndef PRECONDITION_DEFAULTS_H
#define PRECONDITION_DEFAULTS_H

#include "question/checker.h"

void require_defaults(checker *k);

#endif

/* Tiles that are marked as in bounds. */
#ifndef RULES_CLAIMS_H
#define RULES_CLAIMS_H

#include "question/checker.h"

/* Accesses whose marks are errors are compared with others as memory has them. */
void claims_compare_touched(checker *k);
/* Makes race preconditions of those that such tiles ask for and whose violation is a race. */
void claims_decide(checker *k);

#endif

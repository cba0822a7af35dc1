/* Tiles that are marked as in bounds. */
#ifndef RULES_CLAIMS_H
#define RULES_CLAIMS_H

#include "question/checker.h"

/* From now on compares accesses whose marks are errors as memory has them, not as the marks
 * promise. */
void claims_compare_touched(checker *k);
/* Makes race preconditions of the preconditions that marked tiles ask for and whose violation is a
 * race. */
void claims_decide(checker *k);

#endif

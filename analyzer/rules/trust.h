/* Finds which inferred choices of the model the verdict rests on. */
#ifndef RULES_TRUST_H
#define RULES_TRUST_H

#include "question/checker.h"

/* Notes these choices in the report. To be called when the verdict is known, before the findings
 * are handed over. */
void conclude_trust(checker *k);

#endif

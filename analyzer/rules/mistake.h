/* Finds which mistake keeps synchronisation from ordering two accesses. */
#ifndef RULES_MISTAKE_H
#define RULES_MISTAKE_H

#include "question/checker.h"

/* Which mistake keeps synchronisation from ordering the two weak accesses? False: no
 * synchronisation is meant to order them. */
bool mistake_of_order(checker *k, const ix_access *a, const ix_access *b, rule_id *rule,
                      const char **words, bool *only_per_iteration);

#endif

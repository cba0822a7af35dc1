/* Arithmetic that leaves its type, and division by zero. */
#ifndef RULES_RULE_HAZARDS_H
#define RULES_RULE_HAZARDS_H

#include "question/checker.h"

/* Leaves the hazard open: it is no error and no precondition, and nothing is proved behind it. */
void hazard_leave_open(checker *k, const ix_hazard *h);

#endif

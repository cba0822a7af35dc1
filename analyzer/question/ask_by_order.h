/* A question about two elements of a table that does not decrease, by cases. */
#ifndef QUESTION_ASK_BY_ORDER_H
#define QUESTION_ASK_BY_ORDER_H

#include "question/checker.h"

/* Asks by cases of the order of two indices of such a table. SMT_UNSAT: each case is refuted;
 * SMT_UNKNOWN: the question speaks of no such table, or a case stays open. */
smt_verdict ask_by_order(checker *k, query conjuncts);

#endif

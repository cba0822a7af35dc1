/* A question about two elements of a table that does not decrease, by cases. */
#ifndef QUESTION_ASK_BY_ORDER_H
#define QUESTION_ASK_BY_ORDER_H

#include "question/checker.h"

/* Asks the same of a table that does not decrease, by the order of two indices. */
smt_verdict ask_by_order(checker *k, query conjuncts);

#endif

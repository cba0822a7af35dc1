/* SUM: what a sum of many flags says of each. */
#ifndef ORDER_SUM_H
#define ORDER_SUM_H

#include "question/checker.h"

/* Returns what the sum implies of each element where the conjuncts hold, over the universal's
 * variable as copy 1's block has it. The constant true: it implies nothing. *cleared is a read
 * whose words have to hold 0 at launch for that, or NULL. */
smt_t order_sum_statement(checker *k, const ix_universal *u, smt_t sum, smt_t summand,
                          query conjuncts, const ix_access **cleared);

#endif

/* SUM: what a sum of many flags says of each. */
#ifndef ORDER_SUM_H
#define ORDER_SUM_H

#include "question/checker.h"

/* What a sum says of each element, over the universal's variable as copy 1's block has
 * it, where the conjuncts hold. True: nothing. *cleared: the read of words that the launch has to
 * clear for that, or NULL. */
smt_t order_sum_statement(checker *k, const ix_universal *u, smt_t sum, smt_t summand,
                          query conjuncts, const ix_access **cleared);

#endif

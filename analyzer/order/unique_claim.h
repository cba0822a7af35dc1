/* CLAIM: what is there at launch and never again is taken by one event. */
#ifndef ORDER_UNIQUE_CLAIM_H
#define ORDER_UNIQUE_CLAIM_H

#include "question/checker.h"

/* Adds what CLAIM says of two values that updates have read from one buffer. */
void order_add_claims(checker *k, query *conjuncts, smt_t x, smt_t y);

#endif

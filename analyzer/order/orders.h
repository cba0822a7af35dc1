/* Order between tile blocks by synchronisation (D18 to D21), proved.
 *
 * Two events of two blocks are ordered when, in every consistent execution in which both happen,
 * one happens before the other. Each lemma is a file and says what it is over: all blocks, all
 * iterations, all elements. A lemma's obligations are questions to the prover; nothing is taken
 * from the shape of the code that is not asked.
 *
 * In questions copy 0 is an event of block A, copy 1 one of block B, and copies from 2 on are
 * events of any block. */
#ifndef ORDER_ORDERS_H
#define ORDER_ORDERS_H

#include "question/checker.h"

/* Is it proved that events of the two accesses by different blocks are ordered wherever they meet?
 * False: no lemma proves it. */
bool order_proves(checker *k, const ix_access *a, const ix_access *b);

#endif

/* Order between tile blocks by synchronisation (D18 to D21), proved.
 *
 * Two events of two blocks are ordered when, in every consistent execution in which both happen,
 * one happens before the other. Each lemma is a file and says what it is over: all blocks, all
 * iterations, all elements. A lemma's obligations are questions to the prover; nothing is taken
 * from the shape of the code that is not asked.
 *
 * In questions copy 0 is block A's event, copy 1 block B's, copies 2 and up those of any block. */
#ifndef ORDER_ORDERS_H
#define ORDER_ORDERS_H

#include "question/checker.h"

/* Are the two accesses' events of different blocks ordered wherever they meet? */
bool order_proves(checker *k, const ix_access *a, const ix_access *b);

#endif

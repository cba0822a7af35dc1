/* The note about a proof of order, for people. */
#ifndef ORDER_NOTE_H
#define ORDER_NOTE_H

#include "order/state.h"
#include "question/checker.h"

/* Adds to the report which ops order the two accesses, and why. */
void order_note(checker *k, const ix_access *a, const ix_access *b, order_lemma lemma);

#endif

/* TURN: a ticket lock. */
#ifndef ORDER_TURN_H
#define ORDER_TURN_H

#include "order/event.h"
#include "order/state.h"
#include "question/checker.h"

/* Is it proved that the two events are ordered by a ticket lock, whichever comes first? False: not
 * by this lemma. */
bool order_by_turn(order_pair *p);
/* Each lock has a word of tickets and a word that blocks look at. Is it proved that a launch which
 * finds no more in any lock's looked-at word than in its word of tickets leaves them so, and
 * changes no other word of their buffers? */
bool order_turns_are_kept(checker *k, const order_turn_words *locks, size_t n);

#endif

/* TURN: a ticket lock. */
#ifndef ORDER_TURN_H
#define ORDER_TURN_H

#include "order/event.h"
#include "order/state.h"
#include "question/checker.h"

/* A ticket lock; in either direction. */
bool order_by_turn(order_pair *p);
/* Does each launch that finds no more in each lock's word to look at than in its word of tickets
 * leave them so, and all other words of their buffers as they are?. */
bool order_turns_are_kept(checker *k, const order_turn_words *locks, size_t n);

#endif

/* Guesses the block, iterations and element of an event that belongs to another event. */
#ifndef ORDER_PLACE_H
#define ORDER_PLACE_H

#include "order/event.h"
#include "question/checker.h"

/* An execution of an op, by terms over another event. */
typedef struct order_place {
    smt_t block[3], counters[IX_MAX_LOOPS], lane[IR_MAX_RANK];
} order_place;

enum { ORDER_MOST_PLACES = 24 };

/* The term as that execution has it. *within is the condition that such a block, iteration and
 * element exist. */
smt_t order_at_place(checker *k, const ix_access *z, const order_place *at, smt_t term,
                     smt_t *within);
/* The event of z's execution at that place. */
order_event order_event_at(const ix_access *z, const order_place *at);
/* Guesses the places where z may touch the location of w, copy 0's own event; returns their number.
 * No guess has an iteration that may be left out although the loop is reached and the place's own
 * conditions hold. */
size_t order_places(checker *k, const order_event *w, const ix_access *z, bool across_blocks,
                    order_place *places);

#endif

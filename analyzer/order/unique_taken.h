/* TAKEN: one of two blocks at most has taken a value that is there once. */
#ifndef ORDER_UNIQUE_TAKEN_H
#define ORDER_UNIQUE_TAKEN_H

#include "order/event.h"

/* Is it proved that the two accesses never both happen, since only one of them can have taken a
 * value that is there once? False: not by this lemma. */
bool order_by_taking(order_pair *p, const order_event *read);

#endif

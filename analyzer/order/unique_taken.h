/* TAKEN: one of two blocks at most has taken a value that is there once. */
#ifndef ORDER_UNIQUE_TAKEN_H
#define ORDER_UNIQUE_TAKEN_H

#include "order/event.h"

/* Can they not both happen, as only one can have taken what is there once? */
bool order_by_taking(order_pair *p, const order_event *read);

#endif

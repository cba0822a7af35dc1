/* SEMAPHORE: a counter that each block raises and lowers. */
#ifndef ORDER_SEMAPHORE_H
#define ORDER_SEMAPHORE_H

#include "order/event.h"

/* A semaphore of one; in either direction. */
bool order_by_semaphore(order_pair *p);

#endif

/* SEMAPHORE: a counter that each block raises and lowers. */
#ifndef ORDER_SEMAPHORE_H
#define ORDER_SEMAPHORE_H

#include "order/event.h"

/* Is it proved that the two events are ordered by a semaphore that lets one block in at a time,
 * whichever comes first? False: not by this lemma. */
bool order_by_semaphore(order_pair *p);

#endif

/* COUNT: the last of all blocks that add to a counter. */
#ifndef ORDER_COUNT_H
#define ORDER_COUNT_H

#include "order/event.h"

bool order_by_count(order_pair *p, const order_event *read);
/* Can they not both happen, as a counter that is set back never gives one number twice? */
bool order_by_numbers(order_pair *p, const order_event *read);

#endif

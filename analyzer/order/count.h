/* COUNT: the last of all blocks that add to a counter. */
#ifndef ORDER_COUNT_H
#define ORDER_COUNT_H

#include "order/event.h"

/* Is it proved that a comes before b, since the read has read a count to which all blocks have
 * added? False: not by this lemma. */
bool order_by_count(order_pair *p, const order_event *read);
/* Is it proved that the two accesses never both happen, since a counter that is set back never
 * gives one number twice? False: not by this lemma. */
bool order_by_numbers(order_pair *p, const order_event *read);

#endif

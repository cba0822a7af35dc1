/* COUNT: the last of all blocks that add to a counter. */
#ifndef ORDER_COUNT_H
#define ORDER_COUNT_H

#include "order/event.h"

bool sync_by_count(sync_pair *p, const sync_event *read);
/* Can they not both happen, as a counter that is set back never gives one number twice? */
bool sync_by_numbers(sync_pair *p, const sync_event *read);

#endif

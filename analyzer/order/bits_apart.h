/* APART: two updates that set bits of one word. */
#ifndef ORDER_BITS_APART_H
#define ORDER_BITS_APART_H

#include "order/event.h"

/* Is it proved that the two accesses never both happen, since both blocks set bits of one word, and
 * only the first or only the last of them goes on? False: not by this lemma. */
bool order_by_bits_apart(order_pair *p, const order_event *read);

#endif

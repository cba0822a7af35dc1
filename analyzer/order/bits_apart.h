/* APART: two updates that set bits of one word. */
#ifndef ORDER_BITS_APART_H
#define ORDER_BITS_APART_H

#include "order/event.h"

/* Can they not both happen, as both set bits of a word, and either only the first to set one
 * happens, or only the last? */
bool order_by_bits_apart(order_pair *p, const order_event *read);

#endif

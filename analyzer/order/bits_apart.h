/* APART: two updates that set bits of one word. */
#ifndef ORDER_BITS_APART_H
#define ORDER_BITS_APART_H

#include "order/event.h"

/* Can they not both happen, as both set bits of a word, and either only the first to set one
 * happens, or only the last? */
bool sync_by_bits_apart(sync_pair *p, const sync_event *read);

#endif

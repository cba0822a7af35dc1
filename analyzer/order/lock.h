/* LOCK: sections between taking and freeing one word. */
#ifndef ORDER_LOCK_H
#define ORDER_LOCK_H

#include "order/event.h"
#include "question/checker.h"

/* In either direction. */
bool order_by_lock(order_pair *p);
/* Does the event, which happens as the conjuncts say, hold a lock? By which taking? */
bool order_holds_lock(checker *k, const order_event *e, query happens, order_event *taking);
/* Is the access a freeing whose path says that it belongs to this very taking? */
bool order_frees(checker *k, const ix_access *freeing, const order_event *taking);
/* Is some buffer taken and freed as locks are? */
bool order_has_lock(checker *k);

#endif

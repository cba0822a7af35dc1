/* LOCK: sections between locking and unlocking one word, which are called its taking and its
 * freeing. */
#ifndef ORDER_LOCK_H
#define ORDER_LOCK_H

#include "order/event.h"
#include "question/checker.h"

/* Is it proved that the two events are ordered by a lock, whichever comes first? False: not by this
 * lemma. */
bool order_by_lock(order_pair *p);
/* Is it proved that the event, which happens as the conjuncts say, is in a section of a lock? Then
 * *taking is the event that took it. */
bool order_holds_lock(checker *k, const order_event *e, query happens, order_event *taking);
/* Is the access a freeing whose path says that it belongs to this very taking? */
bool order_frees(checker *k, const ix_access *freeing, const order_event *taking);
/* Are the words of some buffer taken and freed as locks are? */
bool order_has_lock(checker *k);

#endif

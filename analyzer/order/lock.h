/* LOCK: sections between taking and freeing one word. */
#ifndef ORDER_LOCK_H
#define ORDER_LOCK_H

#include "order/event.h"
#include "question/checker.h"

/* In either direction. */
bool sync_by_lock(sync_pair *p);
/* Does the event, which happens as the conjuncts say, hold a lock? By which taking? */
bool sync_holds_lock(checker *k, const sync_event *e, const smt_t *happens, sync_event *taking);
/* Is the access a freeing whose path says that it belongs to this very taking? */
bool sync_frees(checker *k, const ix_access *freeing, const sync_event *taking);
/* Is some buffer taken and freed as locks are? */
bool sync_has_lock(checker *k);

#endif

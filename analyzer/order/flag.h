/* FLAG: a releasing write that an acquiring read must have seen. */
#ifndef ORDER_FLAG_H
#define ORDER_FLAG_H

#include "order/chain.h"
#include "order/event.h"
#include "question/checker.h"

bool sync_by_flag(sync_pair *p, const sync_event *read);
/* Like sync_by_flag(), for events a (copy 0) and b (copy 1) that happen as the premises say; in a
 * chain releases of blocks between the two will do as well. */
bool sync_flag_orders(checker *k, const sync_event *a, const sync_event *b, const sync_event *read,
                      smt_t *premises, const sync_chain *chain);

#endif

/* FLAG: a releasing write that an acquiring read must have seen. */
#ifndef ORDER_FLAG_H
#define ORDER_FLAG_H

#include "order/chain.h"
#include "order/event.h"
#include "question/checker.h"

/* Is it proved that a comes before b, since the read has read a value that is there only after a
 * release of a's block? False: not by this lemma. */
bool order_by_flag(order_pair *p, const order_event *read);
/* Like order_by_flag(), for events a (copy 0) and b (copy 1) that happen as the premises say; in a
 * chain releases of blocks between the two will do as well. */
bool order_flag_proves(checker *k, const order_event *a, const order_event *b,
                       const order_event *read, query premises, const order_chain *chain);

#endif

/* TICKET: a counter that gives every update another number. */
#ifndef ORDER_UNIQUE_TICKET_H
#define ORDER_UNIQUE_TICKET_H

#include "question/checker.h"

/* Is it proved that the read gives another number to each event at one element? */
bool order_is_ticket(checker *k, const ix_access *read);
/* Adds what is known of the values of counters that the question speaks of (checker.add_known). */
void order_add_tickets(checker *k, query *conjuncts);

#endif

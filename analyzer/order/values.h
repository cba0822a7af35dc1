/* VALUES: what a read can have read. */
#ifndef ORDER_VALUES_H
#define ORDER_VALUES_H

#include "order/event.h"
#include "question/checker.h"

/* The condition that the event's value is one that it can have read; true where that is not known.
 */
smt_t order_possible_values(checker *k, const order_event *read);
/* Finds the least and the greatest value that events of the read can have read. False: they are not
 * known. *assumed is set where the value at launch is a require. */
bool order_value_range(checker *k, const ix_access *read, smt_int *low, smt_int *high,
                       bool *assumed);

#endif

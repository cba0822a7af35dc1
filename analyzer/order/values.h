/* VALUES: what a read can have read. */
#ifndef ORDER_VALUES_H
#define ORDER_VALUES_H

#include "order/event.h"
#include "question/checker.h"

/* The values that the event can have read, as a condition on its value; true if that is not known.
 */
smt_t order_possible_values(checker *k, const order_event *read);
/* Like order_possible_values(), for all events of the read: the least and the most that they can
 * have read. False: not known. *assumed: the launch's value is a require. */
bool order_value_range(checker *k, const ix_access *read, smt_int *low, smt_int *high,
                       bool *assumed);

#endif

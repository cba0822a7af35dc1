/* The waits of b's block. */
#ifndef ORDER_WAITS_H
#define ORDER_WAITS_H

#include "order/event.h"
#include "order/state.h"
#include "question/checker.h"

/* Is it proved that a comes before b, by what b's block has waited for alone? *lemma says by which
 * lemma. False: not proved.
 */
bool order_by_waits(order_pair *p, order_lemma *lemma);
/* Like order_by_waits(), for two accesses by different blocks, on one location. */
bool order_is_waited_for(checker *k, const ix_access *a, const ix_access *b, order_lemma *lemma);
/* Like order_is_waited_for(), whatever the lemma. */
bool order_proves_by_wait(checker *k, const ix_access *a, const ix_access *b);
/* Is it proved, by FLAG and COUNT, that every event of a comes before every event of the releasing
 * write w in another block, wherever both happen and on any locations? False while such a question
 * is being asked already. */
bool order_comes_before(checker *k, const ix_access *a, const ix_access *w);
/* Is it proved that every event of a comes before each of b's in another block, wherever both are
 * on one location and `where` (over a as copy 0 and b as copy 1) holds? */
bool order_proves_where(checker *k, const ix_access *a, const ix_access *b, smt_t where);

#endif

/* The waits of b's block. */
#ifndef ORDER_WAITS_H
#define ORDER_WAITS_H

#include "order/event.h"
#include "order/state.h"
#include "question/checker.h"

/* The same by what b's block has waited for alone, in this direction; *lemma says by which lemma.
 */
bool order_by_waits(order_pair *p, order_lemma *lemma);
bool order_is_waited_for(checker *k, const ix_access *a, const ix_access *b, order_lemma *lemma);
bool order_proves_by_wait(checker *k, const ix_access *a, const ix_access *b);
/* Does every event of a come before every one of the releasing write w of another block, wherever
 * both happen, on whatever locations? By FLAG and COUNT; not asked while it is being asked. */
bool order_comes_before(checker *k, const ix_access *a, const ix_access *w);
/* Does every event of a come before each of b's in another block, wherever both are on one location
 * and `where` (over a as copy 0 and b as copy 1) holds? */
bool order_proves_where(checker *k, const ix_access *a, const ix_access *b, smt_t where);

#endif

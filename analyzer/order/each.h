/* EACH: a wait for many flags. */
#ifndef ORDER_EACH_H
#define ORDER_EACH_H

#include "order/event.h"
#include "question/checker.h"

/* Is it proved that a comes before b by FLAG or BITS, where b's block has waited for many flags, at
 * once or one by one? False: not proved. */
bool order_by_each(order_pair *p);
/* Has b's block waited for several values of the read in such a way? */
bool order_each_asks(checker *k, const ix_access *read, const ix_access *b);
/* The universal that the application stands for; NULL: none. */
const ix_universal *order_universal_of(const checker *k, smt_t app);
/* A term of the universal, for the application as copy 1's block has it. */
smt_t order_universal_term(checker *k, const ix_universal *u, smt_t app, smt_t term);
/* Applications of universals in what is known where the access happens: stb_ds array. */
smt_t *order_universals_behind(checker *k, const ix_access *b);

#endif

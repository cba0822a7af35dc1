/* Which bit of a term is set. */
#ifndef ORDER_BITS_TERMS_H
#define ORDER_BITS_TERMS_H

#include "order/event.h"
#include "question/checker.h"

typedef struct order_bit {
    checker *k;
    smt_t number; /* p; 0 <= p < width is asked before anything else */
    int width;    /* of the word, in bits */
} order_bit;

/* Is the term a constant shifted to the left by *by, such as `1 << b`? It is that number where *in
 * holds, and may be any number elsewhere. False: it is no such term. */
bool order_is_shifted_bit(const order_bit *q, smt_t term, smt_t *by, smt_t *in);
/* Is bit p of the term set? Where that is not known the answer is `unknown`: true for "may be",
 * false for "surely is". */
smt_t order_has_bit(const order_bit *q, smt_t term, bool unknown);
/* Do the premises imply that bit p of the value read is set? False: not proved. */
bool order_bit_is_seen(const order_bit *q, const order_event *read, query premises);
/* Do they imply that the bit is not set? False: not proved. */
bool order_bit_is_missing(const order_bit *q, const order_event *read, query premises);

#endif

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

/* A constant that is shifted to the left, within a word of at most that width: `1 << b`. The result
 * is what it looks like where *in holds, and any number elsewhere. */
bool order_is_shifted_bit(const order_bit *q, smt_t term, smt_t *by, smt_t *in);
/* Is bit p of the term set? Where that is not known the answer is `unknown`: true for "may be",
 * false for "surely is". */
smt_t order_has_bit(const order_bit *q, smt_t term, bool unknown);
/* The premises say that bit p of what was read is set, or that it is not. */
bool order_bit_is_seen(const order_bit *q, const order_event *read, query premises);
bool order_bit_is_missing(const order_bit *q, const order_event *read, query premises);

#endif

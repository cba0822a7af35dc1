/* Which bit of a term is set. */
#ifndef ORDER_BITS_TERMS_H
#define ORDER_BITS_TERMS_H

#include "order/event.h"
#include "question/checker.h"

typedef struct sync_bit {
    checker *k;
    smt_t number; /* p; 0 <= p < width is asked before anything else */
    int width;    /* of the word, in bits */
} sync_bit;

/* A constant that is shifted to the left, within a word of at most that width: `1 << b`. The result
 * is what it looks like where *in holds, and any number elsewhere. */
bool sync_is_shifted_bit(const sync_bit *q, smt_t term, smt_t *by, smt_t *in);
/* Is bit p of the term set? Where that is not known the answer is `unknown`: true for "may be",
 * false for "surely is". */
smt_t sync_has_bit(const sync_bit *q, smt_t term, bool unknown);
/* The premises say that bit p of what was read is set, or that it is not. */
bool sync_bit_is_seen(const sync_bit *q, const sync_event *read, smt_t *premises);
bool sync_bit_is_missing(const sync_bit *q, const sync_event *read, smt_t *premises);

#endif

/* CHAIN: order handed on from block to block. */
#ifndef ORDER_CHAIN_H
#define ORDER_CHAIN_H

#include "order/event.h"
#include "question/checker.h"

typedef struct order_chain { /* earlier and later blocks: a strict order of them */
    int axis;                /* by their ids along it ... */
    const ix_access *draw;   /* ... or by the number that this op gives them; NULL: none */
    bool descending;         /* later blocks have smaller ones */
    bool in_lanes;           /* blocks that differ along another axis too are not related */
} order_chain;

/* In either direction, along an axis of the grid or by numbers that were drawn. */
bool order_by_chain(checker *k, const ix_access *a, const ix_access *b);
smt_t order_chain_relates(checker *k, const order_chain *chain, const order_event *x,
                          const order_event *y);

#endif

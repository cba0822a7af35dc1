/* CHAIN: order handed on from block to block. */
#ifndef ORDER_CHAIN_H
#define ORDER_CHAIN_H

#include "order/event.h"
#include "question/checker.h"

typedef struct order_chain { /* a strict order of blocks, by which one is earlier */
    int axis;                /* by their ids along it ... */
    const ix_access *draw;   /* ... or by the number that this op gives them; NULL: none */
    bool descending;         /* later blocks have smaller ones */
    bool in_lanes;           /* blocks that also differ along another axis are unrelated */
} order_chain;

/* Is it proved that one of the two accesses, whichever it is, happens before the other, along an
 * axis of the grid or by numbers that blocks draw? False: not by this lemma. */
bool order_by_chain(checker *k, const ix_access *a, const ix_access *b);
/* When is x's block earlier in the chain than y's? */
smt_t order_chain_relates(checker *k, const order_chain *chain, const order_event *x,
                          const order_event *y);

#endif

/* CHAIN: order handed on from block to block. */
#ifndef ORDER_CHAIN_H
#define ORDER_CHAIN_H

#include "order/event.h"
#include "question/checker.h"

typedef struct sync_chain { /* earlier and later blocks: a strict order of them */
    int axis;               /* by their ids along it ... */
    const ix_access *draw;  /* ... or by the number that this op gives them; NULL: none */
    bool descending;        /* later blocks have smaller ones */
    bool in_lanes;          /* blocks that differ along another axis too are not related */
} sync_chain;

/* In either direction, along an axis of the grid or by numbers that were drawn. */
bool sync_by_chain(checker *k, const ix_access *a, const ix_access *b);
smt_t sync_chain_relates(checker *k, const sync_chain *chain, const sync_event *x,
                         const sync_event *y);

#endif

/* NUMBER: a number that is read and raised under a lock, another one for each section. */
#ifndef ORDER_UNIQUE_NUMBER_H
#define ORDER_UNIQUE_NUMBER_H

#include "question/checker.h"

typedef struct order_draw { /* by an update; or by a load, and a store of more, under a lock */
    const ix_access *read, *write;
    smt_int by;   /* under a lock at least 1, else not 0 */
    smt_t amount; /* what an update adds where that is no constant: 0 to `by`, which order_is_ticket
                     has asked; else NULL */
} order_draw;

/* Decides by the form of the write alone. */
bool order_draw_of(checker *k, const ix_access *write, order_draw *draw);
/* Is every write of the allocation half of a draw under a lock that keeps them apart? */
bool order_numbers_are_guarded(checker *k, int allocation);

#endif

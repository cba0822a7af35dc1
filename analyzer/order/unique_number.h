/* NUMBER: a number that is read and raised under a lock, another one for each section. */
#ifndef ORDER_UNIQUE_NUMBER_H
#define ORDER_UNIQUE_NUMBER_H

#include "question/checker.h"

typedef struct order_draw { /* by an update, or by a load and store under a lock */
    const ix_access *read, *write;
    smt_int by;   /* under a lock at least 1, else not 0 */
    smt_t amount; /* what an update adds if it is no constant, from 0 to `by`, as order_is_ticket
                     proves; else NULL */
} order_draw;

/* Has the write the form of a draw? Then *draw describes it. Only the form is looked at. */
bool order_draw_of(checker *k, const ix_access *write, order_draw *draw);
/* Is every write of the allocation the store of a draw, under a lock that keeps the draws apart? */
bool order_numbers_are_guarded(checker *k, int allocation);

#endif

/* A wall-clock guard for those who set --budget.
 *
 * Nothing decides by it how hard to try: limits inside the program count steps. When the time is
 * up, long loops end early, and the report says that the budget cut them. */
#ifndef TR_BUDGET_H
#define TR_BUDGET_H

#include <stdatomic.h>

#include "base/base.h"

typedef struct tr_budget {
    int64_t until;           /* a time of tr_now_ms(); 0: no limit */
    bool spent;              /* the time was seen to be up: it stays so */
    const atomic_bool *stop; /* NULL, or set by another thread once nobody wants the result: then
                                the time is up at once */
} tr_budget;

/* Starts a budget of so many milliseconds; 0: no limit. */
tr_budget tr_budget_start(int64_t ms);
/* Is the time up, or is it to stop? Reads the clock only while there is a limit. NULL: no limit. */
bool tr_budget_is_spent(tr_budget *budget);
/* Milliseconds that a wait may still take, at most `most`. */
int64_t tr_budget_left(const tr_budget *budget, int64_t most);

#endif

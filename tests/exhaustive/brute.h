/* Brute force over the launches of one kernel of the grammar, by its expressions alone: it shares
 * nothing with the checker, the interpreter or the memory model's code. */
#ifndef EXHAUSTIVE_BRUTE_H
#define EXHAUSTIVE_BRUTE_H

#include "grammar.h"

enum { BOX_X = 4, BOX_Y = 3, BOX_P = 4 };

typedef struct launch {
    int64_t x, y, p; /* grid and parameter */
} launch;

typedef struct event {
    point at;
    uint8_t which; /* access 0 or 1 */
    bool stores;
    int64_t element;
} event;

/* Does some execution of this launch have a race? Then *a and *b are its events. */
bool brute_races(const grammar *g, const shape *s, const launch *l, event *a, event *b);
/* Do these two events happen at this launch, in one execution, and race in it? */
bool brute_pair_races(const grammar *g, const shape *s, const launch *l, const event *a,
                      const event *b);
/* The event of one access at a point; false where it does not happen. */
bool brute_event(const grammar *g, const shape *s, const launch *l, const point *at, int which,
                 event *out);

#endif

/* Words that are assumed to hold 0 at launch: whether they do at the next one. */
#ifndef RULES_STALE_H
#define RULES_STALE_H

#include "question/checker.h"

/* Some words hold 0 at the first launch and may hold another number at the next one. Returns the
 * stated contract in which these are counters that have risen; NULL: they are not all counters that
 * only rise. Its `args` are in the arena. To be called after example_show_all. */
contract *stale_risen_contract(checker *k, const contract *stated);
/* Like stale_risen_contract(), where these are the words of ticket locks, which no launch resets.
 * Each word holds any number that earlier launches may have left (KEPT in order/turn.c), a word of
 * tickets up to 2^30. */
contract *stale_turned_contract(checker *k, const contract *stated);

typedef enum stale_outcome {
    STALE_NEVER, /* each launch is proved to leave the words at 0, or none are assumed to be */
    STALE_SHOWN, /* a later launch races, and is the example of what is now a race precondition */
    STALE_OPEN,  /* neither is known */
} stale_outcome;

/* Do the words that are assumed to hold 0 at launch hold 0 at the next launch, too? */
stale_outcome stale_look_for(checker *k);
/* Where another precondition makes the verdict conditional, makes race preconditions of the
 * assumptions that stay open. */
void stale_depend_on_reset(checker *k);
/* Counts the verdict as unknown because of the assumptions that stay open. */
void stale_leave_unsettled(checker *k);
/* The first race that a run shows, and the pair of accesses that it is of; NULL: none. */
witness *stale_first_race(checker *k, const concrete_launch *launch, const interp_run *run,
                          obligation_of *pair);

#endif

/* Words that are assumed to hold 0 at launch: whether they do at the next one. */
#ifndef RULES_STALE_H
#define RULES_STALE_H

#include "question/checker.h"

/* The stated contract, with words that hold 0 at the first launch and may hold another number at
 * the next being counters that have risen; NULL where they are not all counters that only rise. Its
 * `args` are in the arena. After example_show_all. */
contract *stale_risen_contract(checker *k, const contract *stated);
/* Like stale_risen_contract(), where they are the words of ticket locks, which no launch resets:
 * each holds any number that earlier launches may have left (KEPT of order/turn.c), its tickets up
 * to 2^30. */
contract *stale_turned_contract(checker *k, const contract *stated);

typedef enum stale_outcome {
    STALE_NEVER, /* each launch is proved to leave the words at 0, or none are assumed to be */
    STALE_SHOWN, /* a later launch races: it is the example of what is a race precondition now */
    STALE_OPEN,  /* neither is known */
} stale_outcome;

/* Words that are assumed to hold 0 at launch: do they at the next one too? */
stale_outcome stale_look_for(checker *k);
/* Makes race preconditions of the assumptions of which neither is known, where another one makes
 * the verdict conditional. */
void stale_depend_on_reset(checker *k);
/* Counts the verdict as unknown because of them. */
void stale_leave_unsettled(checker *k);
/* The first race that a run shows, and the pair of accesses that it is of; NULL: none. */
witness *stale_first_race(checker *k, const concrete_launch *launch, const interp_run *run,
                          obligation_of *pair);

#endif

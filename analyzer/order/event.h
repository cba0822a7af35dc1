/* Events of synchronisation, as questions speak of them. */
#ifndef ORDER_EVENT_H
#define ORDER_EVENT_H

#include "question/checker.h"

/* One execution of a memory op by one block, at one element. */
typedef struct order_event {
    const ix_access *access;
    int copy;                      /* whose private variables its terms are over */
    smt_t app;                     /* NULL: the copy's own event; else the value that it read */
    bool own;                      /* there is no such event but one of the copy's own block */
    smt_t block[3];                /* ids of its tile block */
    smt_t counters[IX_MAX_LOOPS];  /* iterations of the access's loops, outermost first */
    smt_t coordinate[IR_MAX_RANK]; /* in the op's tile */
} order_event;

/* Two conflicting accesses of different blocks. */
typedef struct order_pair {
    checker *k;
    order_event a, b; /* copies 0 and 1 */
    query both;       /* both happen, in different blocks, on one location */
} order_pair;

order_event order_event_of(checker *k, const ix_access *access, int copy);
/* The event of `read` whose value the application is, by whatever block its arguments say. */
order_event order_event_behind(const ix_access *read, smt_t app);
/* Like order_event_behind(), where it is one of the copy's own block, over whose variables the
 * application is. A term of that block may speak of another one's: `b == 0 ? load(0) : 1` is
 * simplified so, and where b is not 0 the block itself has read nothing. */
order_event order_own_event(const ix_access *read, smt_t app, int copy);
/* Like order_own_event(), for an application that is over no copy's variables yet. */
order_event order_event_of_value(checker *k, const ix_access *read, smt_t app, int copy);
/* The access whose value the application is; NULL when it is none's. */
const ix_access *order_read_of(const checker *k, smt_t app);
/* A boolean term holds of the event only where there is such an event. */
smt_t order_term(checker *k, const order_event *e, smt_t term);
/* Is what its value is an application to a block id, iteration and coordinate of the op? */
smt_t order_exists(checker *k, const order_event *e);
/* The event's block comes to it, and its mask does not leave it out. A path may speak of a value
 * that the block has not read: `c ? load : 3`. */
smt_t order_happens(checker *k, const order_event *e);
/* A query: the event happens; both happen. */
query order_of_event(checker *k, const order_event *e);
query order_of_events(checker *k, const order_event *x, const order_event *y);
/* Adds that the event happens. */
void order_add_event(checker *k, query *conjuncts, const order_event *e);
/* The premises, and that the event happens and may touch what `there` touches. */
query order_premises_with(checker *k, query premises, const order_event *e,
                          const order_event *there);
smt_t order_same_block(checker *k, const order_event *x, const order_event *y);
/* May they touch a byte in common? True where one of them does not exist: nothing is known then. */
smt_t order_overlap(checker *k, const order_event *x, const order_event *y);
/* Both exist, and touch all of one element: what moral strength asks for (D6). */
smt_t order_exactly(checker *k, const order_event *x, const order_event *y);
/* One element of one execution of one op. */
smt_t order_same_event(checker *k, const order_event *x, const order_event *y);
/* `first` is token-before `second` (D15 to D17); holds for events of one block only. */
smt_t order_token_before(checker *k, const order_event *first, const order_event *second);
/* `value` may be what the write makes of the element: true where that is not known. */
smt_t order_written(checker *k, const order_event *write, smt_t value);
/* The event leaves a value behind: a compare-and-swap that finds another one leaves none, and then
 * releases nothing (D18). False where that is not known. */
smt_t order_leaves(checker *k, const order_event *write);
/* `value` may be what the event's element held at launch. Without a word in the contract: the
 * require that it held 0, noted in *assumed. */
smt_t order_initial(checker *k, const order_event *read, smt_t value, bool *assumed);
void order_rests_on_cleared(checker *k, const ix_access *read);
/* A number of which nothing is known, as a word holds it: another one for each `which`, from 1 to
 * SMT_MOST_COPIES, and for each copy of an event that speaks of it. */
smt_t order_held(smt_ctx *ctx, unsigned which);
/* May two accesses touch one allocation? */
bool order_may_share(const ix_access *x, const ix_access *y);
/* D19: both ends scoped widely enough for two tile blocks, on all of one element. */
bool order_strong(const ix_access *x, const ix_access *y);
/* An update that leaves what it has read, as those do that only look: it hands on the number, and
 * what was released with it (D20). */
bool order_leaves_value(const ix_access *w);
bool order_releases(const ix_access *w);
bool order_acquires(const ix_access *read);
/* The event is token-before the releasing write, or it; the acquiring read before the event, or it.
 */
smt_t order_before_release(checker *k, const order_event *a, const order_event *release);
smt_t order_after_acquire(checker *k, const order_event *acquire, const order_event *b);
/* D20: does the update pass on a release that it has read? */
bool order_continues(const checker *k, const ix_access *update);
/* The values read that the event's own path and facts are about: stb_ds array of order_event, each
 * an event of a read whose value steers `access`; release with arrfree. */
order_event *order_values_behind(checker *k, const ix_access *access, int copy);
/* Is a released by w in its own iteration, whatever else is done? */
bool order_releases_in_turn(checker *k, const ix_access *a, const ix_access *w);
bool order_refuted(checker *k, query conjuncts, const char *name);
/* Asks of the conjuncts and one more. */
bool order_refuted_with(checker *k, query conjuncts, smt_t more, const char *name);
/* The two of different blocks, on one location. */
order_pair order_pair_of(checker *k, const ix_access *a, const ix_access *b);

#endif

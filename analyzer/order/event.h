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

/* The copy's own event of the access. */
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
/* When is the event's value an application to a block id, an iteration and a coordinate that the op
 * has? */
smt_t order_exists(checker *k, const order_event *e);
/* When does the event happen: its block comes to it, and its mask does not leave it out? A path may
 * speak of a value that the block has not read: `c ? load : 3`. */
smt_t order_happens(checker *k, const order_event *e);
/* Queries: the event happens; both events happen. */
query order_of_event(checker *k, const order_event *e);
query order_of_events(checker *k, const order_event *x, const order_event *y);
/* Adds that the event happens. */
void order_add_event(checker *k, query *conjuncts, const order_event *e);
/* The premises, and that the event happens and may touch what `there` touches. */
query order_premises_with(checker *k, query premises, const order_event *e,
                          const order_event *there);
/* When are the two events of one block? */
smt_t order_same_block(checker *k, const order_event *x, const order_event *y);
/* When may the two touch a byte in common? True where one of them does not exist, since nothing is
 * known then. */
smt_t order_overlap(checker *k, const order_event *x, const order_event *y);
/* When do both exist and touch all of one element, which is what moral strength asks for (D6)? */
smt_t order_exactly(checker *k, const order_event *x, const order_event *y);
/* When are the two one event: one element of one execution of one op? */
smt_t order_same_event(checker *k, const order_event *x, const order_event *y);
/* `first` is token-before `second` (D15 to D17); holds for events of one block only. */
smt_t order_token_before(checker *k, const order_event *first, const order_event *second);
/* When may `value` be what the write makes of the element? True where that is not known. */
smt_t order_written(checker *k, const order_event *write, smt_t value);
/* When does the event write a value? A compare-and-swap that finds another number writes none, and
 * then releases nothing (D18). False where that is not known. */
smt_t order_leaves(checker *k, const order_event *write);
/* When may `value` be what the event's element held at launch? Where the contract does not say, the
 * element is required to have held 0, which *assumed notes. */
smt_t order_initial(checker *k, const order_event *read, smt_t value, bool *assumed);
/* Notes that the answer rests on words of the read's buffer that hold 0 at launch. */
void order_rests_on_cleared(checker *k, const ix_access *read);
/* An unknown number that a word holds. Each `which`, from 1 to SMT_MOST_COPIES, gives another
 * number, and so does each copy of an event that speaks of it. */
smt_t order_held(smt_ctx *ctx, unsigned which);
/* May two accesses touch one allocation? */
bool order_may_share(const ix_access *x, const ix_access *y);
/* Are both accesses scoped widely enough for two tile blocks (D19), if they touch all of one
 * element? */
bool order_strong(const ix_access *x, const ix_access *y);
/* Is the access an update that writes back what it has read? Such updates are made to look at a
 * word; they hand on the number, and what was released with it (D20). */
bool order_leaves_value(const ix_access *w);
/* Does the write release, does the read acquire, by the op and its memory order? */
bool order_releases(const ix_access *w);
bool order_acquires(const ix_access *read);
/* When is the event token-before the releasing write, or that write itself? When is the acquiring
 * read token-before the event, or that event itself?
 */
smt_t order_before_release(checker *k, const order_event *a, const order_event *release);
smt_t order_after_acquire(checker *k, const order_event *acquire, const order_event *b);
/* D20: does the update pass on a release that it has read? */
bool order_continues(const checker *k, const ix_access *update);
/* The events of reads whose values steer `access`, since its path and facts are about them: stb_ds
 * array; release with arrfree. */
order_event *order_values_behind(checker *k, const ix_access *access, int copy);
/* Is a released by w in a's own iteration of the loops around both, whatever else is done? */
bool order_releases_in_turn(checker *k, const ix_access *a, const ix_access *w);
/* Is it proved that the conjuncts never hold together? False: not proved. */
bool order_refuted(checker *k, query conjuncts, const char *name);
/* Are the conjuncts and one more refuted together? */
bool order_refuted_with(checker *k, query conjuncts, smt_t more, const char *name);
/* The pair of two accesses by different blocks, on one location. */
order_pair order_pair_of(checker *k, const ix_access *a, const ix_access *b);

#endif

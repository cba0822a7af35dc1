/* Private to rules: order between tile blocks by synchronisation (D18 to D21), proved.
 *
 * Two events of two blocks are ordered when, in every consistent execution in which both happen,
 * one happens before the other. Each lemma is a file and says what it is over: all blocks, all
 * iterations, all elements. A lemma's obligations are questions to the prover; nothing is taken
 * from the shape of the code that is not asked.
 *
 * In questions copy 0 is block A's event, copy 1 block B's, copies 2 and up those of any block. */
#ifndef RULES_SYNC_H
#define RULES_SYNC_H

#include "rules/checker.h"

typedef struct sync_lock { /* an answer of sync_lock.c */
    int allocation;
    bool is_lock;
} sync_lock;

/* Answers that were given: asked once a pair. */
typedef struct sync_memo {
    const ix_access *a, *b, *at; /* of the pair; the op or NULL that it is about */
    smt_t app;                   /* the value read, or NULL */
    const char *what;            /* a literal: which question */
    bool relayed;                /* of two events that need not be on one location */
    bool yes;
} sync_memo;

typedef enum sync_lemma {
#define LEMMA(id, words) SYNC_LEMMA_##id,
#include "rules/sync_lemmas.def"
} sync_lemma;

/* What is known of the kernel as a whole; lives in the arena. */
enum { SYNC_MOST_TURNS = 8 };

/* The two words of a ticket lock, each the element of a buffer that no other argument points into:
 * the same at every launch. */
typedef struct sync_turn_words {
    size_t ticket_arg, look_arg;
    smt_int ticket, look; /* elements, from 0 */
} sync_turn_words;

typedef struct sync_racing_ops {
    const ir_op *a, *b;
} sync_racing_ops;

typedef struct sync_seen_run { /* a defined run by a schedule */
    bool seen;
    const ir_op *held, *until; /* of its schedule */
    smt_steps work;            /* that it took */
    const char *why;
    size_t n_races;
    const sync_racing_ops *races; /* of which events race */
} sync_seen_run;

typedef struct sync_state {
    bool any_reads;                     /* a read with an order: its value may be worth a fact */
    bool busy;                          /* whether a counter gives tickets is being asked */
    bool relaying;                      /* whether a comes before a release is being asked */
    const ix_access *release, *acquire; /* of the last proof */
    signed char *tickets; /* by access: 0 not asked, 1 its reads are tickets, -1 they are not */
    signed char *drawn;   /* by access: the same of the reads of draws */
    signed char *claims;  /* by access: the same of updates that take what is there once */
    signed char *phased;  /* by access: the same of additions at a barrier in each step */
    signed char *shared;  /* by access: axes of the grid along which updates of an element differ */
    bool settled;         /* whether it is known which globals hold 0 at launch */
    bool *globals;        /* by allocation: those that do; NULL: not asked yet */
    size_t questions;     /* asked so far */
    size_t n_memos;
    sync_memo memos[128]; /* the youngest overwrite the oldest */
    size_t n_locks;
    sync_lock locks[64];
    size_t n_turns; /* ticket locks that proofs rest on, of which each launch has the same words */
    sync_turn_words turns[SYNC_MOST_TURNS];
    bool other_turns;  /* proofs rest on others, too */
    size_t n_launches; /* small ones, for schedules */
    interp_launch **launches;
    sync_seen_run *runs;     /* of each launch, by schedule; NULL: none yet */
    smt_steps schedule_work; /* of runs by schedules that showed nothing */
} sync_state;

/* One execution of a memory op by one block, at one element. */
typedef struct sync_event {
    const ix_access *access;
    int copy;                      /* whose private variables its terms are over */
    smt_t app;                     /* NULL: the copy's own event; else the value that it read */
    bool own;                      /* there is no such event but one of the copy's own block */
    smt_t block[3];                /* ids of its tile block */
    smt_t counters[IX_MAX_LOOPS];  /* iterations of the access's loops, outermost first */
    smt_t coordinate[IR_MAX_RANK]; /* in the op's tile */
} sync_event;

/* Two conflicting accesses of different blocks. */
typedef struct sync_pair {
    checker *k;
    sync_event a, b; /* copies 0 and 1 */
    smt_t *both;     /* stb_ds array: both happen, in different blocks, on one location */
} sync_pair;

typedef struct sync_chain { /* earlier and later blocks: a strict order of them */
    int axis;               /* by their ids along it ... */
    const ix_access *draw;  /* ... or by the number that this op gives them; NULL: none */
    bool descending;        /* later blocks have smaller ones */
    bool in_lanes;          /* blocks that differ along another axis too are not related */
} sync_chain;

/* ---- sync_event.c ---- */

sync_event sync_event_of(checker *k, const ix_access *access, int copy);
/* The event of `read` whose value the application is, by whatever block its arguments say. */
sync_event sync_event_behind(const ix_access *read, smt_t app);
/* The same where it is one of the copy's own block, over whose variables the application is. A term
 * of that block may speak of another one's: `b == 0 ? load(0) : 1` is simplified so, and where b is
 * not 0 the block itself has read nothing. */
sync_event sync_own_event(const ix_access *read, smt_t app, int copy);
/* The same of an application that is over no copy's variables yet. */
sync_event sync_event_of_value(checker *k, const ix_access *read, smt_t app, int copy);
/* The access whose value the application is; NULL when it is none's. */
const ix_access *sync_read_of(const checker *k, smt_t app);
/* A boolean term holds of the event only where there is such an event. */
smt_t sync_term(checker *k, const sync_event *e, smt_t term);
/* Is what its value is an application to a block id, iteration and coordinate of the op? */
smt_t sync_exists(checker *k, const sync_event *e);
/* The event's block comes to it, and its mask does not leave it out. A path may speak of a value
 * that the block has not read: `c ? load : 3`. */
smt_t sync_happens(checker *k, const sync_event *e);
/* The event happens: conjuncts. */
void sync_add_event(checker *k, smt_t **conjuncts, const sync_event *e);
/* A copy of conjuncts, for more to be added: stb_ds array. */
tr_give smt_t *sync_copy(smt_t *conjuncts);
/* The premises, and that the event happens and may touch what `there` touches: stb_ds array. */
tr_give smt_t *sync_premises_with(checker *k, smt_t *premises, const sync_event *e,
                                  const sync_event *there);
smt_t sync_same_block(checker *k, const sync_event *x, const sync_event *y);
/* May they touch a byte in common? True where one of them does not exist: nothing is known then. */
smt_t sync_overlap(checker *k, const sync_event *x, const sync_event *y);
/* Both exist, and touch all of one element: what moral strength asks for (D6). */
smt_t sync_exactly(checker *k, const sync_event *x, const sync_event *y);
/* One element of one execution of one op. */
smt_t sync_same_event(checker *k, const sync_event *x, const sync_event *y);
/* `first` is token-before `second` (D15 to D17); holds for events of one block only. */
smt_t sync_token_before(checker *k, const sync_event *first, const sync_event *second);
/* `value` may be what the write makes of the element: true where that is not known. */
smt_t sync_written(checker *k, const sync_event *write, smt_t value);
/* The event leaves a value behind: a compare-and-swap that finds another one leaves none, and then
 * releases nothing (D18). False where that is not known. */
smt_t sync_leaves(checker *k, const sync_event *write);
/* `value` may be what the event's element held at launch. Without a word in the contract: the
 * require that it held 0, noted in *assumed. */
smt_t sync_initial(checker *k, const sync_event *read, smt_t value, bool *assumed);
void sync_require_cleared(checker *k, const ix_access *read);
/* May two accesses touch one allocation? */
bool sync_may_share(const ix_access *x, const ix_access *y);
/* D19: both ends scoped widely enough for two tile blocks, on all of one element. */
bool sync_strong(const ix_access *x, const ix_access *y);
/* An update that leaves what it has read, as those do that only look: it hands on the number, and
 * what was released with it (D20). */
bool sync_leaves_value(const ix_access *w);
bool sync_releases(const ix_access *w);
bool sync_acquires(const ix_access *read);
/* The event is token-before the releasing write, or it; the acquiring read before the event, or it.
 */
smt_t sync_before_release(checker *k, const sync_event *a, const sync_event *release);
smt_t sync_after_acquire(checker *k, const sync_event *acquire, const sync_event *b);
/* D20: does the update pass on a release that it has read? */
bool sync_continues(const checker *k, const ix_access *update);
/* What the event's own path and facts say of values read: stb_ds array of sync_event, each an event
 * of a read whose value steers `access`; release with arrfree. */
sync_event *sync_values_behind(checker *k, const ix_access *access, int copy);
/* Is a released by w in its own iteration, whatever else is done? */
bool sync_releases_in_turn(checker *k, const ix_access *a, const ix_access *w);
/* An answer given before; NULL: not asked. The new one is kept by sync_remember, which returns it.
 */
const sync_memo *sync_recall(checker *k, const sync_memo *question);
bool sync_remember(checker *k, sync_memo question, bool yes);
bool sync_refuted(checker *k, const smt_t *conjuncts, const char *name);
/* The conjuncts and one more. */
bool sync_refuted_with(checker *k, const smt_t *conjuncts, smt_t more, const char *name);

/* sync_claim.c: what is known of two values that updates have read of one buffer. */
void sync_add_claims(checker *k, smt_t **conjuncts, smt_t x, smt_t y);

/* sync_values.c: what the event can have read, of its value; true where that is not known. */
smt_t sync_possible_values(checker *k, const sync_event *read);

/* The same of all events of the read: the least and the most that they can have read. False: not
 * known. *assumed: the launch's value is a require. */
bool sync_value_range(checker *k, const ix_access *read, smt_int *low, smt_int *high,
                      bool *assumed);
/* sync_sum.c: what a sum says of each element, over the universal's variable as copy 1's block has
 * it, where the conjuncts hold. True: nothing. *cleared: the read of words that the launch has to
 * clear for that, or NULL. */
smt_t sync_sum_statement(checker *k, const ix_universal *u, smt_t sum, smt_t summand,
                         const smt_t *conjuncts, const ix_access **cleared);

/* ---- lemmas: is p->a happens-before p->b whenever both happen? ---- */

bool sync_by_flag(sync_pair *p, const sync_event *read); /* sync_flag.c */
/* The same of events a (copy 0) and b (copy 1) that happen as the premises say; in a chain releases
 * of blocks between the two will do as well. */
bool sync_flag_orders(checker *k, const sync_event *a, const sync_event *b, const sync_event *read,
                      smt_t *premises, const sync_chain *chain);
/* Flags that are the bits of one word (sync_bits.c). */
bool sync_by_bits(sync_pair *p, const sync_event *read);
/* The same of events that happen as the premises say. */
bool sync_bits_order(checker *k, const sync_event *a, const sync_event *b, const sync_event *read,
                     smt_t *premises);
/* With which value of the variable does the statement look at a bit that the write sets? A guess;
 * NULL: none is seen. */
smt_t sync_bits_meeting(checker *k, smt_t statement, smt_t variable, const ix_access *write,
                        const ix_access *read);
/* FLAG or BITS, where b's block has waited for many flags at once or one by one (sync_each.c). */
bool sync_by_each(sync_pair *p);
/* One counter for all steps of a loop, a barrier at each (sync_phase.c). */
bool sync_by_phase(sync_pair *p);
/* Has b's block waited for several of its values so? */
bool sync_each_asks(checker *k, const ix_access *read, const ix_access *b);
/* What the application stands for; NULL: it is no universal's. */
const ix_universal *sync_universal_of(const checker *k, smt_t app);
/* One of its terms, for the application as copy 1's block has it. */
smt_t sync_universal_term(checker *k, const ix_universal *u, smt_t app, smt_t term);
/* Applications of universals in what is known where the access happens: stb_ds array. */
smt_t *sync_universals_behind(checker *k, const ix_access *b);
/* sync_chain.c: in either direction, along an axis of the grid or by numbers that were drawn. */
bool sync_by_chain(checker *k, const ix_access *a, const ix_access *b);
smt_t sync_chain_relates(checker *k, const sync_chain *chain, const sync_event *x,
                         const sync_event *y);
bool sync_by_count(sync_pair *p, const sync_event *read); /* sync_count.c */
/* Can they not both happen, as a counter that is set back never gives one number twice? */
bool sync_by_numbers(sync_pair *p, const sync_event *read);
/* Can they not both happen, as only one can have taken what is there once? (sync_taken.c) */
bool sync_by_taking(sync_pair *p, const sync_event *read);
/* Can they not both happen, as both set bits of a word, and either only the first to set one
 * happens, or only the last? (sync_bits_apart.c) */
bool sync_by_bits_apart(sync_pair *p, const sync_event *read);
/* In either direction. */
bool sync_by_lock(sync_pair *p); /* sync_lock.c */
/* A ticket lock; in either direction. */
bool sync_by_turn(sync_pair *p); /* sync_turn.c */
/* Does each launch that finds no more in each lock's word to look at than in its word of tickets
 * leave them so, and all other words of their buffers as they are? Also sync_turn.c. */
bool sync_turns_are_kept(checker *k, const sync_turn_words *locks, size_t n);
/* A semaphore of one; in either direction. */
bool sync_by_semaphore(sync_pair *p); /* sync_semaphore.c */
/* Does the event, which happens as the conjuncts say, hold a lock? By which taking? */
bool sync_holds_lock(checker *k, const sync_event *e, const smt_t *happens, sync_event *taking);
/* Is the access a freeing whose path says that it belongs to this very taking? */
bool sync_frees(checker *k, const ix_access *freeing, const sync_event *taking);
/* Is some buffer taken and freed as locks are? */
bool sync_has_lock(checker *k);

/* ---- sync_number.c, sync_ticket.c: numbers that are given to one event each ---- */

typedef struct sync_draw { /* by an update; or by a load, and a store of more, under a lock */
    const ix_access *read, *write;
    smt_int by;   /* under a lock at least 1, else not 0 */
    smt_t amount; /* what an update adds where that is no constant: 0 to `by`, which sync_is_ticket
                     has asked; else NULL */
} sync_draw;

/* By its looks alone. */
bool sync_draw_of(checker *k, const ix_access *write, sync_draw *draw);
/* Does the read give another number to each event at one element? */
bool sync_is_ticket(checker *k, const ix_access *read);
/* Adds what is known of the values of counters that the question speaks of (checker.add_known). */
void sync_add_tickets(checker *k, smt_t **conjuncts);
/* Is every write of the allocation half of a draw under a lock that keeps them apart? */
bool sync_numbers_are_guarded(checker *k, int allocation);

/* ---- sync_state.c, sync.c ---- */

/* Both happen, in different blocks, on one location; release p.both with arrfree. */
sync_pair sync_pair_of(checker *k, const ix_access *a, const ix_access *b);

sync_state *sync_state_of(checker *k);
/* All that was found out, of locks, tickets, draws and claims, is to be asked anew. */
void sync_ask_anew(checker *k);
/* Are the two accesses' events of different blocks ordered wherever they meet? */
bool sync_orders(checker *k, const ix_access *a, const ix_access *b);
/* The same by what b's block has waited for alone, in this direction; *lemma says by which lemma.
 * sync_waits.c, down to sync_orders_where. */
bool sync_by_waits(sync_pair *p, sync_lemma *lemma);
bool sync_is_waited_for(checker *k, const ix_access *a, const ix_access *b, sync_lemma *lemma);
bool sync_orders_by_wait(checker *k, const ix_access *a, const ix_access *b);
/* Does every event of a come before every one of the releasing write w of another block, wherever
 * both happen, on whatever locations? By FLAG and COUNT; not asked while it is being asked. */
bool sync_comes_before(checker *k, const ix_access *a, const ix_access *w);
/* Does every event of a come before each of b's in another block, wherever both are on one location
 * and `where` (over a as copy 0 and b as copy 1) holds? */
bool sync_orders_where(checker *k, const ix_access *a, const ix_access *b, smt_t where);
/* A choice of the model that the verdict rests on: "D20". */
void sync_trust(checker *k, const char *choice);

/* ---- sync_place.c ---- */

/* An execution of an op, by terms over another event. */
typedef struct sync_place {
    smt_t block[3], counters[IX_MAX_LOOPS], lane[IR_MAX_RANK];
} sync_place;

enum { SYNC_MOST_PLACES = 24 };

/* The term as that execution has it; *within: such a block, iteration and element exist. */
smt_t sync_at_place(checker *k, const ix_access *z, const sync_place *at, smt_t term,
                    smt_t *within);
sync_event sync_event_at(const ix_access *z, const sync_place *at);
/* Where z may touch the location of w, copy 0's own event: guesses. None has an iteration that may
 * be left out though the loop is reached and the place's own conditions hold. */
size_t sync_places(checker *k, const sync_event *w, const ix_access *z, bool across_blocks,
                   sync_place *places);

/* ---- sync_reset.c ---- */

/* The launch that a model of the last question names, in the arena; NULL: it can be none. */
typedef const interp_launch *sync_launch_of(checker *k, const smt_model *model);

/* Does each launch that finds the buffer's words at 0 leave them at 0? Where that is not proved,
 * *open is a launch that may leave another number there, or NULL. Both are NULL where nobody wants
 * one. */
bool sync_resets(checker *k, int allocation, sync_launch_of *launch_of, const interp_launch **open);

/* ---- sync_global.c ---- */

/* Finds out which globals hold 0 at every launch; before order is asked for. */
void sync_settle_globals(checker *k);
bool sync_global_is_cleared(checker *k, int allocation);
void sync_require_cleared_global(checker *k, int allocation);

/* ---- sync_slip.c ---- */

/* Which slip keeps synchronisation from ordering the two weak accesses? False: none is meant to. */
bool sync_slip(checker *k, const ix_access *a, const ix_access *b, rule_id *rule,
               const char **words, bool *only_per_iteration);

/* Into the report: which ops order the two, and why (sync_words.c). */
void sync_note(checker *k, const ix_access *a, const ix_access *b, sync_lemma lemma);

/* ---- sync_witness.c ---- */

/* A race of the two in a small launch, by whatever schedule shows it; NULL: none is seen. */
witness *sync_witness(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                      const char **why);

#endif

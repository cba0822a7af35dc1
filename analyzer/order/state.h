/* Facts about the kernel's synchronisation, kept from question to question. */
#ifndef ORDER_STATE_H
#define ORDER_STATE_H

#include "question/checker.h"

typedef struct order_lock { /* an answer of lock.c */
    int allocation;
    bool is_lock;
} order_lock;

/* An answer, kept so that the question is asked once for each pair. */
typedef struct order_memo {
    const ix_access *a, *b, *at; /* the pair, and the op that it is about or NULL */
    smt_t app;                   /* the value read, or NULL */
    const char *what;            /* a literal: which question */
    bool relayed;                /* it is about events that need not be on one location */
    bool yes;
} order_memo;

typedef enum order_lemma {
#define LEMMA(id, file, axioms, kernels, words) ORDER_LEMMA_##id,
#include "order/lemmas.def"
} order_lemma;

enum { ORDER_MOST_TURNS = 8 };

/* The two words of a ticket lock, each the element of a buffer that no other argument points into:
 * the same at every launch. */
typedef struct order_turn_words {
    size_t ticket_arg, look_arg;
    smt_int ticket, look; /* elements, from 0 */
} order_turn_words;

typedef struct order_racing_ops {
    const ir_op *a, *b;
} order_racing_ops;

typedef struct order_seen_run { /* a defined run by a schedule */
    bool seen;
    const ir_op *held, *until; /* of its schedule */
    smt_steps work;            /* the work that the run took */
    const char *why;
    size_t n_races;
    const order_racing_ops *races; /* whose events race */
} order_seen_run;

/* Facts about the kernel as a whole; lives in the arena. */
typedef struct order_state {
    bool any_reads;                     /* a read with an order, whose value may give facts */
    bool busy;                          /* whether a counter gives tickets is being asked */
    bool relaying;                      /* whether a comes before a release is being asked */
    const ix_access *release, *acquire; /* of the last proof */
    signed char *tickets; /* by access: 0 not asked, 1 its reads are tickets, -1 they are not */
    signed char *drawn;   /* by access, in the same way: the reads of draws */
    signed char *claims;  /* by access, in the same way: updates that take what is there once */
    signed char *phased;  /* by access, in the same way: additions at a barrier in each step */
    signed char *shared;  /* by access: axes of the grid along which updates of an element differ */
    bool settled;         /* it is known which globals hold 0 at launch */
    bool *globals;        /* by allocation: those that do; NULL: not asked yet */
    size_t questions;     /* asked so far */
    size_t n_memos;
    order_memo memos[128]; /* the youngest overwrite the oldest */
    size_t n_locks;
    order_lock locks[64];
    size_t n_turns; /* ticket locks that proofs rest on, with the same words at each launch */
    order_turn_words turns[ORDER_MOST_TURNS];
    bool other_turns;  /* proofs also rest on other ticket locks */
    size_t n_launches; /* small ones, for schedules */
    concrete_launch **launches;
    order_seen_run *runs;    /* of each launch, by schedule; NULL: none yet */
    smt_steps schedule_work; /* of runs by schedules that showed nothing */
} order_state;

/* Returns the answer that was given before; NULL: it was not asked.
 */
const order_memo *order_recall(checker *k, const order_memo *question);
/* Keeps a new answer, and returns it. */
bool order_remember(checker *k, order_memo question, bool yes);
/* The state, which the first call makes. */
order_state *order_state_of(checker *k);
/* Forgets the answers about locks, tickets, draws and claims, so that they are asked anew. */
void order_ask_anew(checker *k);
/* Notes that the answer rests on a choice of the model. */
void order_rests_on_choice(checker *k, trust_choice choice);
/* Does the global hold 0 at every launch? False: not known. */
bool order_global_is_cleared(checker *k, int allocation);

#endif

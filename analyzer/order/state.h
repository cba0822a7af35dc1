/* Facts about the kernel's synchronisation, kept from question to question. */
#ifndef ORDER_STATE_H
#define ORDER_STATE_H

#include "question/checker.h"

typedef struct order_lock { /* an answer of lock.c */
    int allocation;
    bool is_lock;
} order_lock;

/* Answers that were given: asked once a pair. */
typedef struct order_memo {
    const ix_access *a, *b, *at; /* of the pair; the op or NULL that it is about */
    smt_t app;                   /* the value read, or NULL */
    const char *what;            /* a literal: which question */
    bool relayed;                /* of two events that need not be on one location */
    bool yes;
} order_memo;

typedef enum order_lemma {
#define LEMMA(id, file, axioms, kernels, words) ORDER_LEMMA_##id,
#include "order/lemmas.def"
} order_lemma;

/* Facts about the kernel as a whole; lives in the arena. */
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
    smt_steps work;            /* that it took */
    const char *why;
    size_t n_races;
    const order_racing_ops *races; /* of which events race */
} order_seen_run;

typedef struct order_state {
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
    order_memo memos[128]; /* the youngest overwrite the oldest */
    size_t n_locks;
    order_lock locks[64];
    size_t n_turns; /* ticket locks that proofs rest on, of which each launch has the same words */
    order_turn_words turns[ORDER_MOST_TURNS];
    bool other_turns;  /* proofs rest on others, too */
    size_t n_launches; /* small ones, for schedules */
    concrete_launch **launches;
    order_seen_run *runs;    /* of each launch, by schedule; NULL: none yet */
    smt_steps schedule_work; /* of runs by schedules that showed nothing */
} order_state;

/* An answer given before; NULL: not asked. The new one is kept by order_remember, which returns it.
 */
const order_memo *order_recall(checker *k, const order_memo *question);
bool order_remember(checker *k, order_memo question, bool yes);
order_state *order_state_of(checker *k);
/* All that was found out, of locks, tickets, draws and claims, is to be asked anew. */
void order_ask_anew(checker *k);
/* The answer rests on a choice of the model. */
void order_rests_on_choice(checker *k, trust_choice choice);
bool order_global_is_cleared(checker *k, int allocation);

#endif

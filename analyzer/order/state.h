/* Facts about the kernel's synchronisation, kept from question to question. */
#ifndef ORDER_STATE_H
#define ORDER_STATE_H

#include "question/checker.h"

typedef struct sync_lock { /* an answer of lock.c */
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
#define LEMMA(id, file, axioms, kernels, words) SYNC_LEMMA_##id,
#include "order/lemmas.def"
} sync_lemma;

/* Facts about the kernel as a whole; lives in the arena. */
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

/* An answer given before; NULL: not asked. The new one is kept by sync_remember, which returns it.
 */
const sync_memo *sync_recall(checker *k, const sync_memo *question);
bool sync_remember(checker *k, sync_memo question, bool yes);
sync_state *sync_state_of(checker *k);
/* All that was found out, of locks, tickets, draws and claims, is to be asked anew. */
void sync_ask_anew(checker *k);
/* A choice of the model that the verdict rests on. */
void sync_trust(checker *k, trust_choice choice);
bool sync_global_is_cleared(checker *k, int allocation);
void sync_require_cleared_global(checker *k, int allocation);

#endif

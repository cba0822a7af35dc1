/* Tries to prove that synchronisation orders the accesses of two blocks: by every lemma, with every
 * value that steers one of the two. */
#include "order/orders.h"

#include "order/chain.h"
#include "order/each.h"
#include "order/event.h"
#include "order/globals.h"
#include "order/lock.h"
#include "order/note.h"
#include "order/semaphore.h"
#include "order/state.h"
#include "order/turn.h"
#include "order/waits.h"
#include "question/checker.h"
#include "question/two_events.h"

#include "base/ds.h"

#include <string.h>

/* ---- Section: which branch b came by decides what it has waited for ---- */

enum { MOST_CASES = 4 };

typedef struct case_search {
    checker *k;
    bool found;
} case_search;

static void look_for_read(void *user, smt_t term)
{
    case_search *s = user;
    s->found |= order_read_of(s->k, term) != NULL || order_universal_of(s->k, term) != NULL;
}

static bool speaks_of_waiting(checker *k, smt_t term)
{
    case_search s = {k, false};
    smt_visit(k->ctx, term, look_for_read, &s);
    return s.found;
}

static bool is_ordered_where_it_is(checker *k, const ix_access *a, const ix_access *b, smt_t this,
                                   order_lemma *lemma)
{
    order_pair p = order_pair_of(k, a, b);
    query_add(k, &p.both, copy_term(k, this, COPY_OTHER_BLOCK, 1));
    k->known.sync->n_memos = 0; /* what is known is known of all of b's events, or of these */
    bool ordered = order_by_waits(&p, lemma);
    k->known.sync->n_memos = 0;
    return ordered;
}

/* Proves the order as at a barrier: the last block to arrive goes on, and the others wait for what
 * it tells them. */
static bool is_ordered_by_cases(checker *k, const ix_access *a, const ix_access *b,
                                order_lemma *lemma)
{
    size_t n = b->facts->kind == SMT_AND ? b->facts->n_args : 1, tried = 0;
    for (size_t i = 0; i < n; i++) {
        smt_t fact = b->facts->kind == SMT_AND ? b->facts->args[i] : b->facts;
        if (fact->kind != SMT_OR || !speaks_of_waiting(k, fact))
            continue;
        for (uint32_t j = 0; j < fact->n_args && tried < MOST_CASES; j++) {
            smt_t one = fact->args[j];
            if (one->kind == SMT_AND)
                continue;
            tried++;
            if (is_ordered_where_it_is(k, a, b, one, lemma) &&
                is_ordered_where_it_is(k, a, b, smt_not(k->ctx, one), lemma))
                return true;
        }
    }
    return false;
}

/* ---- Section: which of the two comes first depends on the iterations ---- */

static bool is_ordered_where(checker *k, const ix_access *a, size_t d, const ix_access *b, size_t e,
                             bool a_is_later, order_lemma *lemma)
{
    smt_ctx *ctx = k->ctx;
    bool ordered = false;
    for (int way = 0; way < 2 && !ordered; way++) {
        order_pair p = way ? order_pair_of(k, b, a) : order_pair_of(k, a, b);
        smt_t of_a = (way ? &p.b : &p.a)->counters[d], of_b = (way ? &p.a : &p.b)->counters[e];
        query_add(k, &p.both, a_is_later ? smt_lt(ctx, of_b, of_a) : smt_le(ctx, of_a, of_b));
        k->known.sync->n_memos = 0; /* what is known is known of all iterations, or of these */
        ordered = order_by_waits(&p, lemma);
    }
    k->known.sync->n_memos = 0;
    return ordered;
}

/* Proves the order as in a ring of buffers: the block that fills one waits for those that emptied
 * it, and these wait for that block. */
static bool is_ordered_by_iterations(checker *k, const ix_access *a, const ix_access *b,
                                     order_lemma *lemma)
{
    for (size_t d = 0; d < a->n_loops; d++)
        for (size_t e = 0; e < b->n_loops; e++)
            if (is_ordered_where(k, a, d, b, e, false, lemma) &&
                is_ordered_where(k, a, d, b, e, true, lemma))
                return true;
    return false;
}

bool order_proves(checker *k, const ix_access *a, const ix_access *b)
{
    if (!order_state_of(k)->any_reads)
        return false;
    order_settle_globals(k);
    order_pair p = order_pair_of(k, a, b);
    k->known.sync->release = k->known.sync->acquire = NULL;
    order_lemma lemma = ORDER_LEMMA_LOCK;
    bool ordered = order_by_lock(&p);
    if (!ordered && (ordered = order_by_turn(&p)))
        lemma = ORDER_LEMMA_TURN;
    if (!ordered && (ordered = order_by_semaphore(&p)))
        lemma = ORDER_LEMMA_SEMAPHORE;
    ordered = ordered || order_by_waits(&p, &lemma);
    if (!ordered && a != b)
        ordered = order_is_waited_for(k, b, a, &lemma);
    if (!ordered) {
        lemma = ORDER_LEMMA_CHAIN;
        ordered = order_by_chain(k, a, b);
    }
    if (!ordered)
        ordered = is_ordered_by_iterations(k, a, b, &lemma);
    if (!ordered)
        ordered = is_ordered_by_cases(k, a, b, &lemma) ||
                  (a != b && is_ordered_by_cases(k, b, a, &lemma));
    if (ordered) {
        order_rests_on_choice(k, TRUST_RELEASES);
        order_note(k, a, b, lemma);
    }
    return ordered;
}

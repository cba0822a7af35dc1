/* LOCK: sections between taking and freeing one lock word happen one after the other.
 *
 * Lemma. Let every write to a buffer be a taking or a freeing. A taking K is an acquiring update
 * that succeeds when it reads 0 and then writes what is not 0; when it fails it changes no 0 into
 * anything and writes no 0. A freeing U is a releasing write of 0, or a swap that writes 0 or
 * nothing, whose path says that a taking K of its own block, at its own element, has succeeded,
 * with K token-before U; no other freeing belongs to that K. The words hold 0 at launch. All are
 * morally strong to each other (A2). Let a of block A and b of block B each be in a section: its
 * path says that a taking of its block has succeeded, that taking is token-before it, and it is
 * token-before every freeing that belongs to that taking. Then a and b are ordered whenever both
 * takings are of one word. Proof. Writes to one word are in coherence order (A4), and an update
 * reads from the write just before it (A5). Say of the takings that succeed K1, K2, ... in this
 * order: K1 reads the launch's 0 (where the launch left another value, none ever succeeds: only who
 * has succeeded writes 0). Between Kj and the next success somebody writes 0: a freeing U of some
 * K' that succeeded. K' is before U (A6), so it is one of K1..Kj; each of K1..K(j-1) has had its
 * one freeing (by induction, for K2..Kj to succeed), so it is Kj's own. After it no 0 is
 * overwritten but by the next success, which so reads it (a failing taking reads what is not 0, and
 * lies before the freeing). Kj's section is token-before its freeing, which releases; K(j+1)
 * acquires it and is token-before its own section and its own freeing. So sections are ordered as
 * their takings are. */
#include "order/lock.h"

#include "order/event.h"
#include "order/state.h"
#include "question/checker.h"

#include "base/ds.h"

typedef struct lock_question {
    checker *k;
    int allocation;
} lock_question;

/* Does the write never put 0? A block that takes the word may write its own number. */
static bool never_puts_zero(checker *k, const ix_access *w)
{
    static const char key[] = "put";
    smt_int put;
    if (smt_is_const(w->put, &put))
        return put != 0;
    order_memo memo = {.a = w, .what = key};
    const order_memo *known = order_recall(k, &memo);
    if (known)
        return known->yes;
    order_event e = order_event_of(k, w, 0);
    smt_int half = (smt_int)1 << (8 * w->width - 1), low, high;
    smt_t zero = smt_int_const(k->ctx, 0), value = order_term(k, &e, w->put);
    smt_bounds(value, &low, &high);
    query all = order_of_event(k, &e);
    bool never = low >= -half && high < half &&
                 order_refuted_with(k, all, smt_eq(k->ctx, value, zero), "sync-lock-put");
    return order_remember(k, memo, never);
}

static bool is_taking(checker *k, const ix_access *w)
{
    smt_int compare;
    if (!w->atomic || !w->got || !w->put || w->unknown || !order_acquires(w) ||
        !order_strong(w, w) || !never_puts_zero(k, w))
        return false;
    if (w->change == IX_CHANGE_SWAP)
        return w->compare && smt_is_const(w->compare, &compare) && compare == 0;
    return w->change == IX_CHANGE_PUT;
}

static bool is_freeing(const ix_access *w)
{
    smt_int put;
    return (w->change == IX_CHANGE_PUT || w->change == IX_CHANGE_SWAP) && w->put &&
           smt_is_const(w->put, &put) && put == 0 && !w->unknown && order_releases(w) &&
           order_strong(w, w);
}

static smt_t succeeded(checker *k, const order_event *taking)
{
    return smt_eq(k->ctx, taking->app, smt_int_const(k->ctx, 0));
}

static smt_t not_taken(checker *k, const order_event *taking)
{
    return smt_not(k->ctx, smt_and(k->ctx, succeeded(k, taking), order_happens(k, taking)));
}

/* When are the two values, each as its own copy knows it, of one event of a taking? */
static smt_t same_taking(checker *k, const order_event *x, const order_event *y)
{
    return order_same_event(k, x, y);
}

/* Does the event's own path say that this taking has succeeded, token-before it? A freeing's taking
 * is one of its own word: a block may hold several. */
static bool is_behind(lock_question *q, const order_event *value, const order_event *e,
                      query happens)
{
    checker *k = q->k;
    if (value->access->allocation != q->allocation || !is_taking(k, value->access))
        return false;
    smt_t before = order_after_acquire(k, value, e);
    if (e->access->allocation == q->allocation && is_freeing(e->access))
        before = smt_and(k->ctx, before, order_exactly(k, value, e));
    return order_refuted_with(k, happens, not_taken(k, value), "sync-lock-taken") &&
           order_refuted_with(k, happens, smt_not(k->ctx, before), "sync-lock-before");
}

/* Finds the taking that a freeing belongs to. The premises say of no other event than the freeing:
 * so the choice is the same in every question, as the lemma wants it. */
static bool taking_behind(lock_question *q, const order_event *e, query happens,
                          order_event *taking)
{
    order_event *values = order_values_behind(q->k, e->access, e->copy);
    bool found = false;
    for (size_t i = 0; i < arrlenu(values) && !found; i++) {
        found = is_behind(q, &values[i], e, happens);
        if (found)
            *taking = values[i];
    }
    arrfree(values);
    return found;
}

/* ---- Section: the buffer is one of locks ---- */

static bool freed_once(lock_question *q, const ix_access *u, const ix_access *v)
{
    checker *k = q->k;
    order_event x = order_event_of(k, u, 0), y = order_event_of(k, v, 1), of_x, of_y;
    query all = order_of_event(k, &x);
    if (!taking_behind(q, &x, all, &of_x) || !taking_behind(q, &y, order_of_event(k, &y), &of_y))
        return false;
    order_add_event(k, &all, &y);
    smt_t twice =
        smt_and(k->ctx, same_taking(k, &of_x, &of_y), smt_not(k->ctx, order_same_event(k, &x, &y)));
    return order_refuted_with(k, all, twice, "sync-lock-once");
}

static bool frees_own(lock_question *q, const ix_access *u)
{
    checker *k = q->k;
    order_event x = order_event_of(k, u, 0), taking;
    query all = order_of_event(k, &x);
    return taking_behind(q, &x, all, &taking) &&
           order_refuted_with(k, all, smt_not(k->ctx, order_exactly(k, &x, &taking)),
                              "sync-lock-own") &&
           order_strong(u, taking.access);
}

static bool takes_whole_words(lock_question *q, const ix_access *taking)
{
    checker *k = q->k;
    const summary *s = k->s;
    order_event x = order_event_of(k, taking, 0);
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        if (!w->writes || w->allocation != q->allocation)
            continue;
        order_event y = order_event_of(k, w, 1);
        query all = order_of_events(k, &x, &y);
        query_add(k, &all, order_overlap(k, &x, &y));
        if (!order_refuted_with(k, all, smt_not(k->ctx, order_exactly(k, &x, &y)),
                                "sync-lock-whole"))
            return false;
    }
    return true;
}

static bool look_at_buffer(lock_question *q)
{
    checker *k = q->k;
    const summary *s = k->s;
    const ix_access **freeings = NULL;
    bool good = true;
    for (size_t i = 0; i < arrlenu(s->accesses) && good; i++) {
        const ix_access *w = &s->accesses[i];
        if (!w->writes || (w->allocation >= 0 && w->allocation != q->allocation))
            continue;
        good = is_taking(k, w) ? takes_whole_words(q, w) : is_freeing(w) && frees_own(q, w);
        if (good && is_freeing(w))
            arrput(freeings, w);
    }
    for (size_t i = 0; i < arrlenu(freeings) && good; i++)
        for (size_t j = i; j < arrlenu(freeings) && good; j++)
            good = freed_once(q, freeings[i], freeings[j]);
    arrfree(freeings);
    return good;
}

static bool is_lock_buffer(lock_question *q)
{
    order_state *state = order_state_of(q->k);
    for (size_t i = 0; i < state->n_locks; i++)
        if (state->locks[i].allocation == q->allocation)
            return state->locks[i].is_lock;
    bool is_lock = look_at_buffer(q);
    if (state->n_locks < TR_COUNT(state->locks) && (is_lock || !state->busy))
        state->locks[state->n_locks++] = (order_lock){q->allocation, is_lock};
    return is_lock;
}

/* ---- Section: an event is in a section ---- */

/* Does every freeing of the section's taking come after the event? */
static bool before_freeing(lock_question *q, const order_event *e, const order_event *taking,
                           query happens)
{
    checker *k = q->k;
    const summary *s = k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *u = &s->accesses[i];
        if (!u->writes || u->allocation != q->allocation || !is_freeing(u))
            continue;
        order_event x = order_event_of(k, u, 2), own;
        query all = happens;
        order_add_event(k, &all, &x);
        if (!taking_behind(q, &x, order_of_event(k, &x), &own))
            return false;
        smt_t late = smt_and(k->ctx, same_taking(k, taking, &own),
                             smt_not(k->ctx, order_token_before(k, e, &x)));
        if (!order_refuted_with(k, all, late, "sync-lock-freeing"))
            return false;
    }
    return true;
}

/* Is the event in a critical section of that buffer, by one of the acquisitions before it? */
static bool in_section(lock_question *q, const order_event *e, query happens,
                       const order_event *value)
{
    return is_behind(q, value, e, happens) && before_freeing(q, e, value, happens);
}

bool order_holds_lock(checker *k, const order_event *e, query happens, order_event *taking)
{
    order_event *values = order_values_behind(k, e->access, e->copy);
    bool holds = false;
    for (size_t i = 0; i < arrlenu(values) && !holds; i++) {
        const ix_access *access = values[i].access;
        if (access->allocation < 0 || !is_taking(k, access))
            continue;
        lock_question q = {.k = k, .allocation = access->allocation};
        holds = is_lock_buffer(&q) && in_section(&q, e, happens, &values[i]);
        if (holds)
            *taking = values[i];
    }
    arrfree(values);
    return holds;
}

bool order_frees(checker *k, const ix_access *freeing, const order_event *taking)
{
    lock_question q = {.k = k, .allocation = taking->access->allocation};
    if (freeing->allocation != q.allocation || !is_freeing(freeing))
        return false;
    order_event u = order_event_of(k, freeing, taking->copy), own;
    return taking_behind(&q, &u, order_of_event(k, &u), &own) && own.app == taking->app;
}

static const ix_access *freeing_in(checker *k, int allocation)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *u = &k->s->accesses[i];
        if (u->writes && u->allocation == allocation && is_freeing(u))
            return u;
    }
    return NULL;
}

bool order_by_lock(order_pair *p)
{
    checker *k = p->k;
    order_event of_a, of_b;
    if (!order_holds_lock(k, &p->a, p->both, &of_a) || !order_holds_lock(k, &p->b, p->both, &of_b))
        return false;
    order_state_of(k)->acquire = of_b.access;
    order_state_of(k)->release = freeing_in(k, of_a.access->allocation);
    return of_a.access->allocation == of_b.access->allocation &&
           order_refuted_with(k, p->both, smt_not(k->ctx, order_exactly(k, &of_a, &of_b)),
                              "sync-lock-word");
}

bool order_has_lock(checker *k)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *w = &k->s->accesses[i];
        if (w->allocation >= 0 && is_taking(k, w) && freeing_in(k, w->allocation))
            return true;
    }
    return false;
}

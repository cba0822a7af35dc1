/* CLAIM: what is there at launch and never again is taken by one event.
 *
 * Lemma. Let writes to a buffer touch whole elements only, and none make f of an element but an
 * update that has read f there and leaves it. Let all updates be morally strong to each other (A2).
 * Then of two different updates of one element that do not leave f, one at most has read f. Proof.
 * It is that of TAKEN (unique_taken.c): what is f was there at launch, the updates that leave it
 * form a chain from there, as no two read one write (A5), and who changes it ends the chain. */
#include "order/unique_claim.h"

#include "order/event.h"
#include "order/state.h"
#include "question/checker.h"

#include "base/ds.h"

static bool is_whole(checker *k, const ix_access *a, int width)
{
    smt_int rest;
    smt_t remainder = smt_mod(k->ctx, a->bytes, smt_int_const(k->ctx, width));
    return !a->unknown && a->width == width && smt_is_const(remainder, &rest) && rest == 0;
}

/* Is the write an update? An operation that reads and writes at once is atomic. */
static bool is_update(const ix_access *w)
{
    return w->got && w->got->kind == SMT_APP && order_strong(w, w);
}

/* Can the write make f of an element that was `before` f, or not, for an update? */
static bool may_make(checker *k, const ix_access *w, smt_t f, bool before)
{
    smt_ctx *ctx = k->ctx;
    order_event e = order_event_of(k, w, 0);
    query all = order_of_event(k, &e);
    if (is_update(w)) {
        smt_t was = smt_eq(ctx, order_term(k, &e, w->got), f);
        query_add(k, &all, before ? was : smt_not(ctx, was));
    }
    return !order_refuted_with(k, all, order_written(k, &e, f), "sync-claim");
}

static bool is_made_nowhere(checker *k, const ix_access *read, smt_t f)
{
    const summary *s = k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        if (!w->writes || !order_may_share(w, read))
            continue;
        if (!is_whole(k, w, read->width) || (w->atomic && !is_update(w)) ||
            may_make(k, w, f, false))
            return false;
    }
    return true;
}

/* Returns the value that a claim finds, if this is one: the value that a swap asks for, else 0. */
static smt_t free_value(checker *k, const ix_access *update)
{
    bool is_swap = update->change == IX_CHANGE_SWAP && smt_is_const(update->compare, NULL);
    return is_swap ? update->compare : smt_int_const(k->ctx, 0);
}

static bool find_claim(checker *k, const ix_access *update)
{
    smt_t f = free_value(k, update);
    return update->allocation >= 0 && is_update(update) && is_whole(k, update, update->width) &&
           !order_leaves_value(update) && !may_make(k, update, f, true) &&
           is_made_nowhere(k, update, f);
}

static bool is_claim(checker *k, const ix_access *update)
{
    order_state *state = order_state_of(k);
    signed char *known = &state->claims[update->number];
    if (*known == 0) {
        *known = -1; /* while it is asked about */
        *known = find_claim(k, update) ? 1 : -1;
    }
    return *known > 0;
}

void order_add_claims(checker *k, query *conjuncts, smt_t x, smt_t y)
{
    smt_ctx *ctx = k->ctx;
    const ix_access *first = order_read_of(k, x), *second = order_read_of(k, y);
    if (first->allocation != second->allocation || !first->atomic || !second->atomic ||
        !is_claim(k, first) || !is_claim(k, second))
        return;
    smt_t f = free_value(k, first);
    if (f != free_value(k, second))
        return;
    order_event a = order_event_behind(first, x), b = order_event_behind(second, y);
    smt_t apart = smt_or(ctx, order_same_event(k, &a, &b), smt_not(ctx, order_exactly(k, &a, &b)));
    smt_t masks = smt_and(ctx, order_term(k, &a, first->mask), order_term(k, &b, second->mask));
    smt_t both = smt_and(ctx, smt_eq(ctx, x, f), smt_eq(ctx, y, f));
    query_add(k, conjuncts, smt_or(ctx, apart, smt_not(ctx, smt_and(ctx, masks, both))));
}

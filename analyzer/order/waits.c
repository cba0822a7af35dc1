/* The order that follows from what b's block has waited for: lemmas in which a comes before what b
 * has read of, tried with every value that steers b. They may ask in turn whether a comes before a
 * release. */
#include "order/waits.h"

#include "order/bits.h"
#include "order/bits_apart.h"
#include "order/count.h"
#include "order/each.h"
#include "order/event.h"
#include "order/flag.h"
#include "order/phase.h"
#include "order/state.h"
#include "order/unique_taken.h"
#include "question/checker.h"
#include "question/two_events.h"

#include "base/ds.h"

/* Is the op executed whenever b is, before it, in the same iterations? */
static bool comes_first(const ix_access *q, const ix_access *b)
{
    for (const ir_op *at = b->op; at; at = at->parent->parent)
        if (at->parent == q->op->parent)
            return q->op->ordinal < at->ordinal;
    return false;
}

/* An acquire of what b's block has looked at otherwise: it may say no more than was known before.
 */
static void add_second_looks(checker *k, const ix_access *b, order_event **values)
{
    const summary *s = k->s;
    size_t n = arrlenu(*values);
    for (size_t i = 0; i < arrlenu(s->accesses) && n; i++) {
        const ix_access *q = &s->accesses[i];
        if (!q->got || q->got->kind != SMT_APP || !order_acquires(q) || !comes_first(q, b))
            continue;
        order_event event = order_event_of_value(k, q, q->got, 1);
        bool known = false, looked = false;
        for (size_t v = 0; v < n; v++) {
            known |= (*values)[v].app == event.app;
            looked |= (*values)[v].access->allocation == q->allocation;
        }
        if (looked && !known)
            arrput(*values, event);
    }
}

/* Lemmas in which a comes before what b has read of; the others say that only one of them happens.
 */
static const struct {
    order_lemma id;
    bool (*orders)(order_pair *p, const order_event *read);
} lemmas[] = {{ORDER_LEMMA_FLAG, order_by_flag},    {ORDER_LEMMA_BITS, order_by_bits},
              {ORDER_LEMMA_COUNT, order_by_count},  {ORDER_LEMMA_NUMBERS, order_by_numbers},
              {ORDER_LEMMA_TAKEN, order_by_taking}, {ORDER_LEMMA_APART, order_by_bits_apart}};
enum { RELAYING_LEMMAS = 3 };

/* Tries every lemma with each value that steers b, since its read may have seen a release. b itself
 * may be such a read. */
bool order_by_waits(order_pair *p, order_lemma *lemma)
{
    checker *k = p->k;
    order_event *values = order_values_behind(k, p->b.access, 1);
    const smt_t own = p->b.access->got;
    if (own && own->kind == SMT_APP)
        arrput(values, order_event_of_value(k, p->b.access, own, 1));
    add_second_looks(k, p->b.access, &values);
    size_t n = k->known.sync->relaying ? RELAYING_LEMMAS : TR_COUNT(lemmas);
    bool ordered = false;
    for (size_t i = 0; i < arrlenu(values) && !ordered; i++)
        for (size_t l = 0; l < n && !ordered; l++) {
            ordered = lemmas[l].orders(p, &values[i]);
            *lemma = lemmas[l].id;
        }
    arrfree(values);
    if (!ordered && (ordered = order_by_each(p)))
        *lemma = ORDER_LEMMA_FLAG;
    if (!ordered && (ordered = order_by_phase(p)))
        *lemma = ORDER_LEMMA_COUNT;
    return ordered;
}

bool order_is_waited_for(checker *k, const ix_access *a, const ix_access *b, order_lemma *lemma)
{
    order_pair p = order_pair_of(k, a, b);
    return order_by_waits(&p, lemma);
}

bool order_proves_by_wait(checker *k, const ix_access *a, const ix_access *b)
{
    order_lemma lemma;
    return order_is_waited_for(k, a, b, &lemma);
}

bool order_proves_where(checker *k, const ix_access *a, const ix_access *b, smt_t where)
{
    if (!order_state_of(k)->any_reads)
        return false;
    order_lemma lemma;
    order_pair p = order_pair_of(k, a, b);
    query_add(k, &p.both, where);
    k->known.sync->n_memos = 0; /* what is known is known of all events of the two, or of these */
    bool ordered = order_by_waits(&p, &lemma);
    k->known.sync->n_memos = 0;
    return ordered;
}

bool order_comes_before(checker *k, const ix_access *a, const ix_access *w)
{
    static const char key[] = "before";
    order_state *state = order_state_of(k);
    order_memo memo = {.a = a, .b = w, .what = key};
    if (state->relaying)
        return false;
    const order_memo *known = order_recall(k, &memo);
    if (known)
        return known->yes;
    const ix_access *acquire = state->acquire;
    order_lemma lemma;
    order_pair p = {.k = k, .a = order_event_of(k, a, 0), .b = order_event_of(k, w, 1)};
    p.both = order_of_events(k, &p.a, &p.b);
    query_add(k, &p.both, copy_blocks_differ(k));
    state->relaying = true;
    bool before = order_by_waits(&p, &lemma);
    state->relaying = false;
    state->acquire = acquire;
    return order_remember(k, memo, before);
}

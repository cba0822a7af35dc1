/* APART: two updates that set bits of one word, which cannot both have read what they need.
 *
 * Lemma. Let L be a word, and let every write of L, of any block and iteration, write all of L, be
 * an atomic or or an update that leaves what it has read, and be morally strong to the others (A2).
 * Let X and Y be two different events of atomic ors at L. Then in no consistent execution
 *
 *   (a) both operands have bit p, and both X and Y have read a value without bit p; nor
 *
 *   (b) X has read a value with bit q, and Y one with bit p, where no or of L but X has bit p in
 * its operand, none but Y has bit q in its own, and L holds neither of the two bits at launch.
 *
 * So two accesses are no race where both happen only if X and Y have read so. Proof. No two updates
 * read from one write (A5) and all writes of L are updates, so they form a chain that begins at the
 * launch's value. Each value in the chain is the launch's value with the bits of the operands up to
 * there: a bit that is set once stays set. X and Y are both in the chain. (a) The later one of the
 * two reads a value that comes after the earlier one has set bit p. (b) What X has read has bit q,
 * which the launch has not put there, so an or with bit q stands before X, which is Y. In the same
 * way X stands before Y, and no event stands before itself.
 *
 * Nothing is asked of releases and acquires: no order is claimed, but that one of the two accesses
 * does not happen. (a) elects whoever sets a bit first, (b) whoever sets its bit last. The numbers
 * p and q are terms over the variables of the two blocks, in the range of the word's bits; all
 * conditions are asked for all values of these variables that the premises allow. */
#include "order/bits_apart.h"

#include "order/bits.h"
#include "order/bits_terms.h"
#include "order/event.h"
#include "order/state.h"
#include "question/checker.h"

#include "base/ds.h"

enum { MOST_NUMBERS = 8 };

typedef struct apart_question {
    order_pair *p;
    const order_event *x, *y;
    bool assumed;
} apart_question;

static bool is_or(const ix_access *w)
{
    return w->writes && w->change == IX_CHANGE_OR && w->put && !w->unknown;
}

/* Do both updates happen whenever the two accesses do, and are they two events at one word? */
static bool both_happen(const apart_question *q)
{
    checker *k = q->p->k;
    smt_ctx *ctx = k->ctx;
    smt_t happen = smt_and(ctx, order_happens(k, q->x), order_happens(k, q->y));
    smt_t two =
        smt_and(ctx, order_exactly(k, q->x, q->y), smt_not(ctx, order_same_event(k, q->x, q->y)));
    return order_refuted_with(k, q->p->both, smt_not(ctx, smt_and(ctx, happen, two)),
                              "sync-apart-happen");
}

/* Does the write write all of the word, and set bits or leave them? Where it sets the bit, if one
 * is given, it has to be the owner. */
static bool write_fits(const apart_question *q, const ix_access *access, const order_bit *bit,
                       const order_event *owner)
{
    checker *k = q->p->k;
    smt_ctx *ctx = k->ctx;
    bool keeps = order_leaves_value(access);
    if (access->unknown || access->width != q->x->access->width || !access->put ||
        (!keeps && !is_or(access)) || !order_continues(k, access) ||
        !order_strong(access, access) || !order_strong(access, q->x->access) ||
        !order_strong(access, q->y->access))
        return false;
    order_event w = order_event_of(k, access, 2);
    query all = order_premises_with(k, q->p->both, &w, q->x);
    if (!order_refuted_with(k, all, smt_not(ctx, order_exactly(k, &w, q->x)), "sync-apart-whole"))
        return false;
    if (!bit || keeps)
        return true;
    query_add(k, &all, order_has_bit(bit, order_term(k, &w, access->put), true));
    return order_refuted_with(k, all, smt_not(ctx, order_same_event(k, &w, owner)),
                              "sync-apart-owner");
}

static bool all_writes_fit(const apart_question *q, const order_bit *bit, const order_event *owner)
{
    const summary *s = q->p->k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        if (w->writes && order_may_share(w, q->x->access) && !write_fits(q, w, bit, owner))
            return false;
    }
    return true;
}

static bool starts_clear(apart_question *q)
{
    checker *k = q->p->k;
    smt_ctx *ctx = k->ctx;
    smt_t start = order_held(ctx, 8);
    smt_t other = smt_and(ctx, order_initial(k, q->y, start, &q->assumed),
                          smt_ne(ctx, start, smt_int_const(ctx, 0)));
    return order_refuted_with(k, q->p->both, other, "sync-apart-initial");
}

static bool is_in_word(const apart_question *q, const order_bit *bit)
{
    smt_ctx *ctx = q->p->k->ctx;
    smt_t in = smt_and(ctx, smt_le(ctx, smt_int_const(ctx, 0), bit->number),
                       smt_lt(ctx, bit->number, smt_int_const(ctx, bit->width)));
    return order_refuted_with(q->p->k, q->p->both, smt_not(ctx, in), "sync-apart-range");
}

/* Bits that the event's operand may have: stb_ds array. */
static smt_t *numbers_of(const order_bit *bit, const order_event *event)
{
    smt_t *numbers = NULL;
    order_add_bit_numbers(bit, order_term(bit->k, event, event->access->put), &numbers);
    return numbers;
}

/* Does (b) hold for one of the two: has the other event read some bit that the owner alone sets? */
static bool has_read_bit_of(apart_question *q, const order_event *seer, const order_event *owner)
{
    order_bit bit = {.k = q->p->k, .width = 8 * owner->access->width};
    smt_t *numbers = numbers_of(&bit, owner);
    bool seen = false;
    for (size_t i = 0; i < arrlenu(numbers) && i < MOST_NUMBERS && !seen; i++) {
        bit.number = numbers[i];
        seen = is_in_word(q, &bit) && order_bit_is_seen(&bit, seer, q->p->both) &&
               all_writes_fit(q, &bit, owner);
    }
    arrfree(numbers);
    return seen;
}

static bool sets(const order_bit *bit, const order_event *event, query premises)
{
    checker *k = bit->k;
    smt_t set = order_has_bit(bit, order_term(k, event, event->access->put), false);
    return order_refuted_with(k, premises, smt_not(k->ctx, set), "sync-apart-sets");
}

/* Does (a) hold: is there a bit that both set and neither has read? */
static bool both_claim(apart_question *q)
{
    order_bit bit = {.k = q->p->k, .width = 8 * q->x->access->width};
    smt_t *numbers = numbers_of(&bit, q->x);
    bool claim = false;
    for (size_t i = 0; i < arrlenu(numbers) && i < MOST_NUMBERS && !claim; i++) {
        bit.number = numbers[i];
        claim = is_in_word(q, &bit) && sets(&bit, q->x, q->p->both) &&
                sets(&bit, q->y, q->p->both) && order_bit_is_missing(&bit, q->x, q->p->both) &&
                order_bit_is_missing(&bit, q->y, q->p->both) && all_writes_fit(q, NULL, NULL);
    }
    arrfree(numbers);
    return claim;
}

bool order_by_bits_apart(order_pair *p, const order_event *read)
{
    checker *k = p->k;
    if (!is_or(read->access))
        return false;
    order_event *values = order_values_behind(k, p->a.access, 0);
    bool apart = false;
    for (size_t i = 0; i < arrlenu(values) && !apart; i++) {
        apart_question q = {.p = p, .x = &values[i], .y = read};
        if (!is_or(values[i].access) || values[i].access->width != read->access->width ||
            !both_happen(&q))
            continue;
        apart = both_claim(&q);
        if (!apart && has_read_bit_of(&q, q.x, q.y) && has_read_bit_of(&q, q.y, q.x) &&
            starts_clear(&q)) {
            apart = true;
            if (q.assumed)
                order_rests_on_cleared(k, read->access);
        }
    }
    arrfree(values);
    if (apart)
        order_state_of(k)->release = order_state_of(k)->acquire = read->access;
    return apart;
}

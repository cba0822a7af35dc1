/* VALUES: what a read can have read.
 *
 * Lemma. Let every write to a buffer be of the width of its elements, whole elements only, and make
 * of an element a constant, or leave it as it was (a failed swap, an addition of 0). Then a read of
 * the same kind reads what the element held at launch or one of the constants.
 * Proof. A read reads from a write or the launch's value; a write that leaves the element as it was
 * has read the same way before it. */
#include "order/values.h"

#include "order/event.h"
#include "question/checker.h"

#include "base/ds.h"

enum { MOST_CONSTANTS = 8 };

typedef struct value_set {
    size_t n;
    smt_int constants[MOST_CONSTANTS];
} value_set;

static bool is_whole(checker *k, const ix_access *a, int width)
{
    smt_int rest;
    smt_t remainder = smt_mod(k->ctx, a->bytes, smt_int_const(k->ctx, width));
    return !a->unknown && a->width == width && smt_is_const(remainder, &rest) && rest == 0;
}

static bool add_constants(checker *k, const ix_access *w, value_set *set)
{
    smt_int put, compare, half = (smt_int)1 << (8 * w->width - 1);
    if (!is_whole(k, w, w->width) || !w->put || !smt_is_const(w->put, &put) || put < -half ||
        put >= half)
        return false;
    if ((w->change == IX_CHANGE_ADD || w->change == IX_CHANGE_OR) && put == 0)
        return true;
    if (w->change != IX_CHANGE_PUT &&
        (w->change != IX_CHANGE_SWAP || !w->compare || !smt_is_const(w->compare, &compare)))
        return false;
    for (size_t i = 0; i < set->n; i++)
        if (set->constants[i] == put)
            return true;
    if (set->n == MOST_CONSTANTS)
        return false;
    set->constants[set->n++] = put;
    return true;
}

/* Finds all constants that writes make of the elements that the read may touch. */
static bool find_constants(checker *k, const ix_access *q, value_set *set)
{
    const summary *s = k->s;
    if (q->allocation < 0 || !is_whole(k, q, q->width))
        return false;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        if (w->writes && order_may_share(w, q) &&
            (w->width != q->width || !add_constants(k, w, set)))
            return false;
    }
    return true;
}

bool order_value_range(checker *k, const ix_access *read, smt_int *low, smt_int *high,
                       bool *assumed)
{
    smt_ctx *ctx = k->ctx;
    value_set set = {0};
    if (!find_constants(k, read, &set))
        return false;
    *low = *high = 0; /* what the launch mostly holds; asked below */
    for (size_t i = 0; i < set.n; i++) {
        *low = set.constants[i] < *low ? set.constants[i] : *low;
        *high = set.constants[i] > *high ? set.constants[i] : *high;
    }
    order_event e = order_event_of(k, read, 2);
    smt_t start = order_held(ctx, 10);
    query all = order_of_event(k, &e);
    query_add(k, &all, order_initial(k, &e, start, assumed));
    smt_t within = smt_and(ctx, smt_le(ctx, smt_int_const(ctx, *low), start),
                           smt_le(ctx, start, smt_int_const(ctx, *high)));
    return order_refuted_with(k, all, smt_not(ctx, within), "sync-values-range");
}

smt_t order_possible_values(checker *k, const order_event *read)
{
    smt_ctx *ctx = k->ctx;
    const ix_access *q = read->access;
    value_set set = {0};
    smt_t anything = smt_bool_const(ctx, true);
    if (!find_constants(k, q, &set))
        return anything;
    bool assumed = false;
    smt_t value = order_initial(k, read, read->app, &assumed);
    if (assumed)
        return anything;
    for (size_t i = 0; i < set.n; i++)
        value = smt_or(ctx, value, smt_eq(ctx, read->app, smt_int_const(ctx, set.constants[i])));
    return smt_implies(ctx, order_term(k, read, q->mask), value);
}

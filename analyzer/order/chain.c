/* CHAIN: order handed on from block to block.
 *
 * Lemma. Let "earlier" be a strict order of blocks, by their ids along an axis of the grid or by
 * numbers that they have drawn, and a an event of block A. Let E hold b and every releasing write W
 * of a buffer by whose values an event of E is steered. Suppose that for every event e of E, in any
 * block B that A is earlier than, FLAG's conditions hold of a and e, except that in (2) W may also
 * be a releasing write of a block C that A is earlier than, with scopes as there (D19). Then a
 * happens before every such e in every consistent execution. Proof. By induction over
 * happens-before, which is a strict order of the events of an execution (D21, A7). The read Q that
 * e comes after has read, through updates at most, from such a W. If it is of block A, a is
 * token-before it; if of C, W is in E and happens before e, so by induction a happens before W. W
 * releases, Q acquires, e is token-after Q. */
#include "order/chain.h"

#include "order/event.h"
#include "order/flag.h"
#include "order/state.h"
#include "order/unique_ticket.h"
#include "question/checker.h"

#include "base/ds.h"

/* Returns the number that blocks are ordered by. Of a block that draws no number it is any function
 * of its id. */
static smt_t place_of(checker *k, const order_chain *chain, const order_event *e)
{
    if (!chain->draw)
        return e->block[chain->axis];
    smt_t number = chain->draw->got;
    return smt_app(k->ctx, number->name, 3, e->block, number->low, number->high);
}

static smt_t in_one_lane(checker *k, const order_chain *chain, const order_event *x,
                         const order_event *y)
{
    smt_ctx *ctx = k->ctx;
    if (chain->draw) { /* the numbers are of one counter */
        order_event first = order_event_behind(chain->draw, place_of(k, chain, x));
        order_event second = order_event_behind(chain->draw, place_of(k, chain, y));
        return order_exactly(k, &first, &second);
    }
    smt_t same = smt_bool_const(ctx, true);
    for (int axis = 0; axis < 3; axis++)
        if (axis != chain->axis)
            same = smt_and(ctx, same, smt_eq(ctx, x->block[axis], y->block[axis]));
    return same;
}

smt_t order_chain_relates(checker *k, const order_chain *chain, const order_event *x,
                          const order_event *y)
{
    smt_ctx *ctx = k->ctx;
    smt_t from = place_of(k, chain, x), to = place_of(k, chain, y);
    smt_t earlier = chain->descending ? smt_lt(ctx, to, from) : smt_lt(ctx, from, to);
    return chain->in_lanes ? smt_and(ctx, earlier, in_one_lane(k, chain, x, y)) : earlier;
}

/* A literal for each order of blocks; the op that draws numbers is told apart elsewhere. */
static const char *name_of(const order_chain *chain, bool is_link)
{
    static const char names[2][2][2][4][6] = {
        {{{"x<b", "y<b", "z<b", "n<b"}, {"x>b", "y>b", "z>b", "n>b"}},
         {{"x<b|", "y<b|", "z<b|", "n<b|"}, {"x>b|", "y>b|", "z>b|", "n>b|"}}},
        {{{"x<w", "y<w", "z<w", "n<w"}, {"x>w", "y>w", "z>w", "n>w"}},
         {{"x<w|", "y<w|", "z<w|", "n<w|"}, {"x>w|", "y>w|", "z>w|", "n>w|"}}}};
    return names[is_link][chain->in_lanes][chain->descending][chain->draw ? 3 : chain->axis];
}

enum { MAX_STEERING = 4 };

typedef struct chain_question {
    checker *k;
    const order_chain *chain;
    int buffers[MAX_STEERING]; /* allocations by whose values events of E are steered */
    size_t n_buffers, n_done;
} chain_question;

static bool add_buffer(chain_question *c, int allocation)
{
    for (size_t i = 0; i < c->n_buffers; i++)
        if (c->buffers[i] == allocation)
            return true;
    if (allocation < 0 || c->n_buffers == MAX_STEERING)
        return false;
    c->buffers[c->n_buffers++] = allocation;
    return true;
}

/* Can no event of E of this op come after a? Of b itself (on one location), or of a link. */
static bool never_comes(chain_question *c, const order_event *a, const order_event *e,
                        query premises, bool is_link)
{
    order_memo memo = {
        .a = a->access, .b = e->access, .at = c->chain->draw, .what = name_of(c->chain, is_link)};
    const order_memo *known = order_recall(c->k, &memo);
    return known ? known->yes
                 : order_remember(c->k, memo, order_refuted(c->k, premises, "sync-chain-reach"));
}

/* Do FLAG's conditions hold for a and one event of E? */
static bool holds_of(chain_question *c, const order_event *a, const order_event *e, query premises,
                     bool is_link)
{
    checker *k = c->k;
    if (never_comes(c, a, e, premises, is_link))
        return true;
    order_event *values = order_values_behind(k, e->access, 1);
    bool holds = false;
    for (size_t i = 0; i < arrlenu(values) && !holds; i++)
        holds = order_flag_proves(k, a, e, &values[i], premises, c->chain) &&
                add_buffer(c, values[i].access->allocation);
    arrfree(values);
    return holds;
}

static bool links_hold(chain_question *c, const order_event *a)
{
    checker *k = c->k;
    const summary *s = k->s;
    for (; c->n_done < c->n_buffers; c->n_done++) {
        for (size_t i = 0; i < arrlenu(s->accesses); i++) {
            const ix_access *w = &s->accesses[i];
            if (!w->writes || w->allocation != c->buffers[c->n_done] || !order_releases(w))
                continue;
            order_event e = order_event_of(k, w, 1);
            query premises = order_of_events(k, a, &e);
            query_add(k, &premises, order_chain_relates(k, c->chain, a, &e));
            if (!holds_of(c, a, &e, premises, true))
                return false;
        }
    }
    return true;
}

/* Is the order proved wherever a's block is earlier than b's? */
static bool orders_one_way(checker *k, const ix_access *a, const ix_access *b,
                           const order_chain *chain)
{
    order_pair p = order_pair_of(k, a, b);
    query_add(k, &p.both, order_chain_relates(k, chain, &p.a, &p.b));
    chain_question c = {.k = k, .chain = chain};
    return holds_of(&c, &p.a, &p.b, p.both, false) && links_hold(&c, &p.a);
}

static bool always_related(checker *k, const ix_access *a, const ix_access *b,
                           const order_chain *chain)
{
    static const char names[2][4][6] = {{"x.", "y.", "z.", "n."}, {"x.|", "y.|", "z.|", "n.|"}};
    order_memo memo = {.a = a,
                       .b = b,
                       .at = chain->draw,
                       .what = names[chain->in_lanes][chain->draw ? 3 : chain->axis]};
    const order_memo *known = order_recall(k, &memo);
    if (known)
        return known->yes;
    order_pair p = order_pair_of(k, a, b);
    smt_t either = smt_or(k->ctx, order_chain_relates(k, chain, &p.a, &p.b),
                          order_chain_relates(k, chain, &p.b, &p.a));
    bool related = order_refuted_with(k, p.both, smt_not(k->ctx, either), "sync-chain-axis");
    return order_remember(k, memo, related);
}

/* Is there a release whose own block has waited? Else nothing is handed on. */
static bool hands_on(checker *k)
{
    const summary *s = k->s;
    bool any = false;
    for (size_t i = 0; i < arrlenu(s->accesses) && !any; i++) {
        const ix_access *w = &s->accesses[i];
        if (!w->writes || !ir_is_memory_op(w->op) || !order_releases(w))
            continue;
        order_event *values = order_values_behind(k, w, 1);
        for (size_t v = 0; v < arrlenu(values); v++)
            any |= order_acquires(values[v].access);
        arrfree(values);
    }
    return any;
}

static bool orders_by(checker *k, const ix_access *a, const ix_access *b, order_chain chain)
{
    for (int variant = 0; variant < 2; variant++) {
        chain.in_lanes = variant > 0;
        if (!always_related(k, a, b, &chain))
            continue;
        for (int descending = 0; descending < 2; descending++) {
            chain.descending = descending > 0;
            if (orders_one_way(k, a, b, &chain) && orders_one_way(k, b, a, &chain))
                return true;
        }
    }
    return false;
}

bool order_by_chain(checker *k, const ix_access *a, const ix_access *b)
{
    const summary *s = k->s;
    if (!hands_on(k))
        return false;
    for (int axis = 0; axis < 3; axis++)
        if (!smt_is_const(s->block_id[axis], NULL) &&
            orders_by(k, a, b, (order_chain){.axis = axis}))
            return true;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *draw = &s->accesses[i];
        if (draw->atomic && draw->n_loops == 0 && draw->rank == 0 && draw->got &&
            order_is_ticket(k, draw) && orders_by(k, a, b, (order_chain){.draw = draw}))
            return true;
    }
    return false;
}

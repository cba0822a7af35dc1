/* CHAIN: order handed on from block to block.
 *
 * Lemma. Let "earlier" be a strict order of blocks along an axis of the grid, and a an event of
 * block A. Let E hold b and every releasing write W of a buffer by whose values an event of E is
 * steered. Suppose that for every event e of E, in any block B that A is earlier than, FLAG's
 * conditions hold of a and e, except that in (2) W may also be a releasing write of a block C that
 * A is earlier than, with scopes as there (D19). Then a happens before every such e in every
 * consistent execution. Proof. By induction over happens-before, which is a strict order of the
 * events of an execution (D21, A7). The read Q that e comes after has read, through updates at
 * most, from such a W. If it is of block A, a is token-before it; if of C, W is in E and happens
 * before e, so by induction a happens before W. W releases, Q acquires, e is token-after Q. */
#include "rules/sync.h"

#include "base/ds.h"

smt_t sync_chain_relates(checker *k, const sync_chain *chain, const sync_event *x,
                         const sync_event *y)
{
    smt_t from = x->block[chain->axis], to = y->block[chain->axis];
    return chain->descending ? smt_lt(k->ctx, to, from) : smt_lt(k->ctx, from, to);
}

enum { MAX_STEERING = 4 };

typedef struct chain_question {
    checker *k;
    const sync_chain *chain;
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
static bool never_comes(chain_question *c, const sync_event *a, const sync_event *e,
                        const smt_t *premises, bool is_link)
{
    static const char keys[2][3][2][4] = {{{"x<b", "x>b"}, {"y<b", "y>b"}, {"z<b", "z>b"}},
                                          {{"x<w", "x>w"}, {"y<w", "y>w"}, {"z<w", "z>w"}}};
    sync_memo memo = {.a = a->access,
                      .b = e->access,
                      .what = keys[is_link][c->chain->axis][c->chain->descending]};
    const sync_memo *known = sync_recall(c->k, &memo);
    return known ? known->yes
                 : sync_remember(c->k, memo, sync_refuted(c->k, premises, "sync-chain-reach"));
}

/* FLAG's conditions of a and one event of E. */
static bool holds_of(chain_question *c, const sync_event *a, const sync_event *e, smt_t *premises,
                     bool is_link)
{
    checker *k = c->k;
    if (never_comes(c, a, e, premises, is_link))
        return true;
    sync_event *values = sync_values_behind(k, e->access, 1);
    bool holds = false;
    for (size_t i = 0; i < arrlenu(values) && !holds; i++)
        holds = sync_flag_orders(k, a, e, &values[i], premises, c->chain) &&
                add_buffer(c, values[i].access->allocation);
    arrfree(values);
    return holds;
}

static bool links_hold(chain_question *c, const sync_event *a)
{
    checker *k = c->k;
    const summary *s = k->s;
    for (; c->n_done < c->n_buffers; c->n_done++) {
        for (size_t i = 0; i < arrlenu(s->accesses); i++) {
            const ix_access *w = &s->accesses[i];
            if (!w->writes || w->allocation != c->buffers[c->n_done] || !sync_releases(k, w))
                continue;
            sync_event e = sync_event_of(k, w, 1);
            smt_t *premises = NULL;
            sync_add_event(k, &premises, a);
            sync_add_event(k, &premises, &e);
            arrput(premises, sync_chain_relates(k, c->chain, a, &e));
            bool holds = holds_of(c, a, &e, premises, true);
            arrfree(premises);
            if (!holds)
                return false;
        }
    }
    return true;
}

/* Wherever a's block is earlier than b's. */
static bool orders_one_way(checker *k, const ix_access *a, const ix_access *b,
                           const sync_chain *chain)
{
    sync_pair p = sync_pair_of(k, a, b);
    arrput(p.both, sync_chain_relates(k, chain, &p.a, &p.b));
    chain_question c = {.k = k, .chain = chain};
    bool holds = holds_of(&c, &p.a, &p.b, p.both, false) && links_hold(&c, &p.a);
    arrfree(p.both);
    return holds;
}

static bool always_related(checker *k, const ix_access *a, const ix_access *b, int axis)
{
    static const char keys[3][6] = {"rel.x", "rel.y", "rel.z"};
    sync_memo memo = {.a = a, .b = b, .what = keys[axis]};
    const sync_memo *known = sync_recall(k, &memo);
    if (known)
        return known->yes;
    sync_pair p = sync_pair_of(k, a, b);
    bool related = sync_refuted_with(k, p.both, smt_eq(k->ctx, p.a.block[axis], p.b.block[axis]),
                                     "sync-chain-axis");
    arrfree(p.both);
    return sync_remember(k, memo, related);
}

/* Is there a release whose own block has waited? Else nothing is handed on. */
static bool hands_on(checker *k)
{
    const summary *s = k->s;
    bool any = false;
    for (size_t i = 0; i < arrlenu(s->accesses) && !any; i++) {
        const ix_access *w = &s->accesses[i];
        if (!w->writes || !ir_is_memory_op(w->op) || !sync_releases(k, w))
            continue;
        sync_event *values = sync_values_behind(k, w, 1);
        for (size_t v = 0; v < arrlenu(values); v++)
            any |= sync_acquires(k, values[v].access);
        arrfree(values);
    }
    return any;
}

bool sync_by_chain(checker *k, const ix_access *a, const ix_access *b)
{
    if (!hands_on(k))
        return false;
    for (int axis = 0; axis < 3; axis++) {
        if (smt_is_const(k->s->block_id[axis], NULL) || !always_related(k, a, b, axis))
            continue;
        for (int descending = 0; descending < 2; descending++) {
            sync_chain chain = {axis, descending != 0};
            if (orders_one_way(k, a, b, &chain) && orders_one_way(k, b, a, &chain))
                return true;
        }
    }
    return false;
}

/* FLAG: a releasing write that an acquiring read must have seen.
 *
 * Lemma. Let a be an event of block A, b one of block B, and Q an acquiring read of B at location
 * L, token-before b or b itself. Let P(v) say "a and b both happen, on one location, and Q read v".
 * Suppose that
 *
 *   (1) P(v) holds for no v that L may hold at launch; or Q is token-after a read of B at L, all of
 *   them and all writes of L morally strong, that has not read what L may hold at launch (then Q
 *   comes after all that has it from there unchanged: A8), and P(v) below is taken to say besides
 *   that v comes from updates that leave what L holds at launch, or is another value;
 *
 *   (2) every event W, of any block C (A and B too) and any iteration, that writes L and makes v of
 *       it, with P(v), is one of these: a releasing write of block A, of a scope that includes B as
 *       Q's includes A (D19), that a is token-before or is itself; a write of A that is token-after
 *       such a one at L (D20); an update that passes a release on (D20) and has read u with P(u);
 *       or one that Q is token-before (then Q cannot have read from it: A7, A8).
 *
 * Say P(u), of the value u of another read, that P holds with u for v, and that u is not what L may
 * hold at launch. Where an update passes on, (2) must hold of every number u with P(u), of which
 * nothing else is known: facts on what Q has read (a ticket, a claim) are of Q. Then a happens
 * before b in every consistent execution with both. P may be taken more loosely for values that
 * updates on the way have read: "u is not what L held at launch".
 *
 * Proof. Q read some write or the launch's value. By (1) it was a write W1. By (2) W1 releases what
 * a did, or it is an update that read u, and P(u): the same question again for what W1 read from. A
 * chain of updates of one location, each reading from the one before, follows coherence (A5), so it
 * ends; by (1) not at the launch. So it ends in a release that a is token-before, or happens
 * before, the updates pass it on to Q (D20), Q acquires it (D18), and b is token-after Q (D21). */
#include "order/flag.h"

#include "order/chain.h"
#include "order/event.h"
#include "order/state.h"
#include "order/waits.h"
#include "question/checker.h"

#include "base/ds.h"

typedef struct flag_question {
    checker *k;
    const order_event *a, *b;
    const order_chain *chain; /* or NULL */
    const order_event *read;
    const ix_access *release; /* one that may be what Q has seen */
    query premises;           /* P's conjuncts */
    smt_t guard;              /* P, as a term in which read->app stands for v */
    smt_t value;              /* v: read->app, or what an update on the way has read */
    bool loosely;             /* P(v) says no more than that v is not the launch's value */
    bool saw;                 /* (1) by a look before Q: P(v) may hold of the launch's value */
    bool has_updates;         /* so chains may be longer than one write */
    bool passed;              /* some update may hand on what Q has read */
    bool assumed;             /* the launch's value is a require */
} flag_question;

/* P, of the value that an update read. That it is not the launch's is part of it: of Q's own value
 * that is known by (1), often through facts that hold of no other read's. */
static smt_t guard_at(flag_question *f, smt_t value)
{
    smt_ctx *ctx = f->k->ctx;
    smt_t changed = smt_not(ctx, order_initial(f->k, f->read, value, &f->assumed));
    if (f->loosely)
        return changed;
    smt_t from = f->read->app, within;
    smt_t guard = smt_instantiate(ctx, f->guard, 1, &from, &value, &within);
    return smt_and(ctx, changed, smt_and(ctx, within, guard));
}

/* "Release, then write": W follows a release of its own block and element by token, and so hands on
 * what that one does (D20). */
static smt_t follows_release(flag_question *f, const order_event *w)
{
    checker *k = f->k;
    smt_ctx *ctx = k->ctx;
    const summary *s = k->s;
    smt_t any = smt_bool_const(ctx, false);
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *r = &s->accesses[i];
        bool outer = r->n_loops <= w->access->n_loops;
        for (size_t d = 0; d < r->n_loops && outer; d++)
            outer = r->loops[d]->op == w->access->loops[d]->op;
        if (!outer || !r->writes || r->allocation != w->access->allocation || r->unknown ||
            r->op->ordinal >= w->access->op->ordinal || !order_releases(r) ||
            !order_strong(r, f->read->access))
            continue;
        order_event release = order_event_of(k, r, w->copy);
        smt_t happens =
            smt_and(ctx, order_term(k, &release, r->path), order_term(k, &release, r->mask));
        smt_t order = smt_and(ctx, order_token_before(k, &release, w),
                              order_before_release(k, f->a, &release));
        smt_t there = smt_and(ctx, order_exactly(k, &release, f->read), happens);
        there = smt_and(ctx, there, order_leaves(k, &release));
        any = smt_or(ctx, any, smt_and(ctx, order, there));
    }
    return any;
}

/* W releases what a did. */
static smt_t releases(flag_question *f, const order_event *w)
{
    checker *k = f->k;
    smt_ctx *ctx = k->ctx;
    if (!order_strong(w->access, f->read->access))
        return smt_bool_const(ctx, false);
    smt_t after =
        order_releases(w->access) ? order_before_release(k, f->a, w) : follows_release(f, w);
    if (!smt_is_false(after) && (!f->release || order_releases(w->access)))
        f->release = w->access;
    after = smt_and(ctx, after, order_exactly(k, w, f->read));
    return smt_and(ctx, order_same_block(k, f->a, w), after);
}

static smt_t passes_on(flag_question *f, const order_event *w)
{
    checker *k = f->k;
    if (!order_continues(k, w->access) || !order_strong(w->access, w->access) ||
        !order_strong(w->access, f->read->access))
        return smt_bool_const(k->ctx, false);
    f->passed = true;
    smt_t got = order_term(k, w, w->access->got), on = guard_at(f, got);
    if (f->saw && order_leaves_value(w->access)) /* then the look, and so Q, came after it */
        on = smt_or(k->ctx, on, order_initial(k, f->read, got, &f->assumed));
    return smt_and(k->ctx, on, order_exactly(k, w, f->read));
}

/* When is the write a link of a chain: another block's release, before which a happens by the
 * induction? */
static smt_t is_link(flag_question *f, const order_event *w)
{
    checker *k = f->k;
    if (!order_releases(w->access) || !order_strong(w->access, f->read->access))
        return smt_bool_const(k->ctx, false);
    f->release = w->access;
    return smt_and(k->ctx, order_chain_relates(k, f->chain, f->a, w), order_exactly(k, w, f->read));
}

/* May another block's write tell B what its own block has waited for? */
static bool may_relay(const flag_question *f, const ix_access *w)
{
    return !f->chain && order_releases(w) && order_strong(w, f->read->access);
}

static bool write_is_safe(flag_question *f, const ix_access *access)
{
    checker *k = f->k;
    smt_ctx *ctx = k->ctx;
    order_event w = order_event_of(k, access, 2);
    query all = order_premises_with(k, f->premises, &w, f->read);
    /* A write over half of L makes an unknown number of it. */
    query_add(k, &all,
              smt_implies(ctx, order_exactly(k, &w, f->read), order_written(k, &w, f->value)));
    if (f->value != f->read->app)
        query_add(k, &all, guard_at(f, f->value));
    /* Further back in a chain than what Q itself has read, coherence alone excludes it (A8). */
    smt_t later = smt_bool_const(ctx, false);
    if (!f->has_updates || order_strong(access, f->read->access))
        later = smt_and(ctx, order_same_block(k, f->read, &w), order_token_before(k, f->read, &w));
    smt_t good = smt_or(ctx, releases(f, &w), smt_or(ctx, passes_on(f, &w), later));
    if (f->chain)
        good = smt_or(ctx, good, is_link(f, &w));
    smt_t own = order_same_block(k, f->a, &w);
    bool safe = order_refuted_with(k, all, smt_not(ctx, good), "sync-flag-write");
    if (!safe && may_relay(f, access) && order_comes_before(k, f->a->access, access)) {
        smt_t relayed = smt_and(ctx, smt_not(ctx, own), order_exactly(k, &w, f->read));
        good = smt_or(ctx, good, relayed);
        safe = order_refuted_with(k, all, smt_not(ctx, good), "sync-flag-relay");
        f->release = safe ? access : f->release;
    }
    return safe;
}

static bool follows_read(flag_question *f)
{
    checker *k = f->k;
    smt_t after = smt_and(k->ctx, order_exists(k, f->read), order_after_acquire(k, f->read, f->b));
    return order_refuted_with(k, f->premises, smt_not(k->ctx, after), "sync-flag-after");
}

/* Does Q happen: has b's block come by it, and not by another branch? */
static bool reads_memory(flag_question *f)
{
    checker *k = f->k;
    const ix_access *q = f->read->access;
    smt_t happens = order_term(k, f->read, smt_and(k->ctx, q->path, q->mask));
    return order_refuted_with(k, f->premises, smt_not(k->ctx, happens), "sync-flag-mask");
}

static bool all_writes_are_strong(const flag_question *f)
{
    const summary *s = f->k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        if (w->writes && order_may_share(w, f->read->access) &&
            (w->unknown || !order_strong(w, f->read->access)))
            return false;
    }
    return true;
}

/* Has an earlier look of the same block, of any memory order, seen some write? Then so has Q (A8).
 */
static bool saw_a_write_before(flag_question *f)
{
    checker *k = f->k;
    smt_ctx *ctx = k->ctx;
    if (!all_writes_are_strong(f))
        return false;
    order_event *values = order_values_behind(k, f->b->access, f->b->copy);
    bool saw = false;
    for (size_t i = 0; i < arrlenu(values) && !saw; i++) {
        const order_event *look = &values[i];
        if (look->app == f->read->app || !order_may_share(look->access, f->read->access) ||
            look->access->unknown || !order_strong(look->access, f->read->access))
            continue;
        smt_t there =
            smt_and(ctx, order_exactly(k, look, f->read), order_same_block(k, look, f->read));
        there = smt_and(ctx, there, order_token_before(k, look, f->read));
        there = smt_and(ctx, there, order_happens(k, look));
        smt_t launch = order_initial(k, f->read, look->app, &f->assumed);
        saw = order_refuted_with(k, f->premises, smt_or(ctx, smt_not(ctx, there), launch),
                                 "sync-flag-seen");
    }
    arrfree(values);
    return saw;
}

static bool any_update(const flag_question *f)
{
    const summary *s = f->k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++)
        if (s->accesses[i].atomic && order_may_share(&s->accesses[i], f->read->access))
            return true;
    return false;
}

static bool all_writes_are_safe(flag_question *f)
{
    const summary *s = f->k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        if (w->writes && order_may_share(w, f->read->access) && !write_is_safe(f, w))
            return false;
    }
    return true;
}

bool order_flag_proves(checker *k, const order_event *a, const order_event *b,
                       const order_event *read, query premises, const order_chain *chain)
{
    const ix_access *q = read->access;
    if (!order_acquires(q) || q->unknown)
        return false;
    flag_question f = {.k = k, .a = a, .b = b, .read = read, .premises = premises, .chain = chain};
    f.guard = query_as_term(k, premises);
    smt_t initial = order_initial(k, read, read->app, &f.assumed);
    if (!follows_read(&f) || !reads_memory(&f) ||
        (!order_refuted_with(k, premises, initial, "sync-flag-initial") &&
         (chain || !(f.saw = saw_a_write_before(&f)))))
        return false;
    f.has_updates = any_update(&f);
    f.value = read->app;
    smt_int half = (smt_int)1 << (8 * q->width - 1);
    const char *name = tr_arena_printf(k->arena, "passed@%d", q->width);
    smt_t passed = smt_private_var(k->ctx, name, -half, half - 1);
    bool safe = all_writes_are_safe(&f);
    if (safe && f.passed) { /* of what updates on the way have read no more than P is known */
        f.value = passed;
        safe = all_writes_are_safe(&f);
    }
    if (!safe) {
        f.loosely = true;
        f.value = passed;
        if (f.saw || !f.has_updates || !all_writes_are_safe(&f))
            return false;
    }
    order_state_of(k)->acquire = q;
    order_state_of(k)->release = f.release;
    if (f.assumed)
        order_rests_on_cleared(k, q);
    order_rests_on_choice(k, f.has_updates ? TRUST_UPDATES : TRUST_RELEASES);
    return true;
}

bool order_by_flag(order_pair *p, const order_event *read)
{
    return order_flag_proves(p->k, &p->a, &p->b, read, p->both, NULL);
}

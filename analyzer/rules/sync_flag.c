/* FLAG: a releasing write that an acquiring read must have seen.
 *
 * Lemma. Let a be an event of block A, b one of block B, and Q an acquiring read of B at location
 * L, token-before b or b itself. Let P(v) say "a and b both happen, on one location, and Q read v".
 * Suppose that
 *   (1) P(v) holds for no v that L may hold at launch;
 *   (2) for every event W, of any block C (A and B too) and any iteration, that writes L and makes
 * v of it, with P(v): W is a releasing write of block A, of a scope that includes B as Q's includes
 * A (D19), and a is token-before W or W itself; or W is an update that passes a release on (D20)
 * and P(u) holds for the value u that W read; or Q is token-before W in one block (then Q cannot
 * read from it: A7). Then a happens before b in every consistent execution with both. Proof. Q read
 * some write or the launch's value. By (1) it was a write W1. By (2) W1 releases what a did, or it
 * is an update that read u, and P(u): the same question again for what W1 read from. A chain of
 * updates of one location, each reading from the one before, follows coherence (A5), so it ends; by
 * (1) not at the launch. So it ends in a release that a is token-before, the updates pass it on to
 * Q (D20), Q acquires it (D18), and b is token-after Q (D21). */
#include "rules/sync.h"

#include "base/ds.h"

typedef struct flag_question {
    checker *k;
    const sync_event *a, *b;
    const sync_chain *chain; /* or NULL */
    const sync_event *read;
    const ix_access *release; /* one that may be what Q has seen */
    smt_t guard;              /* P, as a term in which read->app stands for v */
    smt_t *premises;          /* stb_ds array: P's conjuncts */
} flag_question;

/* P, of the value that an update read. */
static smt_t guard_at(flag_question *f, smt_t value)
{
    smt_t from = f->read->app;
    return smt_substitute(f->k->ctx, f->guard, 1, &from, &value);
}

/* W releases what a did. */
static smt_t releases(flag_question *f, const sync_event *w)
{
    checker *k = f->k;
    smt_ctx *ctx = k->ctx;
    if (!sync_releases(k, w->access) || !sync_strong(k, w->access, f->read->access))
        return smt_bool_const(ctx, false);
    smt_t after = sync_before_release(k, f->a, w);
    if (!smt_is_false(after))
        f->release = w->access;
    after = smt_and(ctx, after, sync_exactly(k, w, f->read));
    return smt_and(ctx, sync_same_block(k, f->a, w), after);
}

static smt_t passes_on(flag_question *f, const sync_event *w)
{
    checker *k = f->k;
    if (!sync_continues(k, w->access) || !sync_strong(k, w->access, w->access) ||
        !sync_strong(k, w->access, f->read->access))
        return smt_bool_const(k->ctx, false);
    return smt_and(k->ctx, guard_at(f, sync_term(k, w, w->access->got)),
                   sync_exactly(k, w, f->read));
}

/* In a chain: another block's release, of which the induction says that a happens before it. */
static smt_t is_link(flag_question *f, const sync_event *w)
{
    checker *k = f->k;
    if (!sync_releases(k, w->access) || !sync_strong(k, w->access, f->read->access))
        return smt_bool_const(k->ctx, false);
    f->release = w->access;
    return smt_and(k->ctx, sync_chain_relates(k, f->chain, f->a, w), sync_exactly(k, w, f->read));
}

static bool write_is_safe(flag_question *f, const ix_access *access)
{
    checker *k = f->k;
    smt_ctx *ctx = k->ctx;
    sync_event w = sync_event_of(k, access, 2);
    smt_t *all = NULL;
    for (size_t i = 0; i < arrlenu(f->premises); i++)
        arrput(all, f->premises[i]);
    sync_add_event(k, &all, &w);
    arrput(all, sync_overlap(k, &w, f->read));
    arrput(all, access->width == f->read->access->width ? sync_written(k, &w, f->read->app)
                                                        : smt_bool_const(ctx, true));
    smt_t later = smt_and(ctx, sync_same_block(k, f->read, &w), sync_token_before(k, f->read, &w));
    smt_t good = smt_or(ctx, releases(f, &w), smt_or(ctx, passes_on(f, &w), later));
    if (f->chain)
        good = smt_or(ctx, good, is_link(f, &w));
    unsigned mended = sync_state_of(k)->mended;
    smt_t own = sync_same_block(k, f->a, &w);
    if (mended & SYNC_MEND_VALUE)
        good = smt_or(ctx, good, own);
    if (mended & SYNC_MEND_ELEMENT)
        good = smt_or(ctx, good, smt_not(ctx, own));
    bool safe = sync_refuted_with(k, all, smt_not(ctx, good), "sync-flag-write");
    arrfree(all);
    return safe;
}

static bool follows_read(flag_question *f)
{
    checker *k = f->k;
    smt_t after = sync_after_acquire(k, f->read, f->b);
    return sync_refuted_with(k, f->premises, smt_not(k->ctx, after), "sync-flag-after");
}

static bool reads_memory(flag_question *f)
{
    checker *k = f->k;
    smt_t masked = smt_not(k->ctx, sync_term(k, f->read, f->read->access->mask));
    return sync_refuted_with(k, f->premises, masked, "sync-flag-mask");
}

/* For slips: A does release a at the element that Q reads, so it is the value that comes too early.
 */
static bool is_told_later(flag_question *f)
{
    checker *k = f->k;
    const summary *s = k->s;
    bool told = false;
    for (size_t i = 0; i < arrlenu(s->accesses) && !told; i++) {
        const ix_access *w = &s->accesses[i];
        if (!w->writes || !sync_may_share(w, f->read->access) ||
            !sync_releases_in_turn(k, f->a->access, w))
            continue;
        sync_event release = sync_event_of(k, w, 2);
        smt_t *all = NULL;
        for (size_t c = 0; c < arrlenu(f->premises); c++)
            arrput(all, f->premises[c]);
        sync_add_event(k, &all, &release);
        arrput(all, sync_same_block(k, f->a, &release));
        if (sync_state_of(k)->mended & SYNC_MEND_INITIAL)
            arrput(all, sync_written(k, &release, f->read->app));
        told = !sync_refuted_with(k, all, sync_overlap(k, &release, f->read), "sync-slip-told");
        arrfree(all);
    }
    return told;
}

/* For slips: A releases a, whatever the element. */
static bool is_told_somewhere(flag_question *f)
{
    const summary *s = f->k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        if (w->writes && sync_may_share(w, f->read->access) &&
            sync_releases_in_turn(f->k, f->a->access, w))
            return true;
    }
    return false;
}

bool sync_flag_orders(checker *k, const sync_event *a, const sync_event *b, const sync_event *read,
                      smt_t *premises, const sync_chain *chain)
{
    const ix_access *q = read->access;
    if (!sync_acquires(k, q) || q->unknown)
        return false;
    flag_question f = {.k = k, .a = a, .b = b, .read = read, .premises = premises, .chain = chain};
    f.guard = smt_and_n(k->ctx, arrlenu(premises), premises);
    unsigned early = sync_state_of(k)->mended & (SYNC_MEND_VALUE | SYNC_MEND_INITIAL);
    if (early && !is_told_later(&f))
        return false;
    if ((sync_state_of(k)->mended & SYNC_MEND_ELEMENT) && !is_told_somewhere(&f))
        return false;
    bool assumed = false, updates = false;
    smt_t initial = sync_initial(k, read, read->app, &assumed);
    if (!follows_read(&f) || !reads_memory(&f) ||
        (!early && !sync_refuted_with(k, premises, initial, "sync-flag-initial")))
        return false;
    const summary *s = k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        if (!w->writes || !sync_may_share(w, q))
            continue;
        updates |= w->atomic;
        if (!write_is_safe(&f, w))
            return false;
    }
    sync_state_of(k)->acquire = q;
    sync_state_of(k)->release = f.release;
    if (assumed)
        sync_require_cleared(k, q);
    if (updates)
        sync_trust(k, "D20");
    return true;
}

bool sync_by_flag(sync_pair *p, const sync_event *read)
{
    return sync_flag_orders(p->k, &p->a, &p->b, read, p->both, NULL);
}

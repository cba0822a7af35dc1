/* TAKEN: one of two blocks at most can have taken a value that is there once.
 *
 * Lemma. Let an event of block A be steered by an update x and one of another block B by an update
 * y of one location L: both read v there, and neither leaves v. Call a source every write that
 * makes v of L without having read v there by an update, and the launch's value where that may be
 * v. Suppose that no two sources can be in one execution, that writes touch all of L or nothing of
 * it, and that all updates of L, and what is a source, are morally strong to each other (A2). Then
 * the two events are never in one execution. Proof. Go back from x, from each update to the write
 * that it read: as long as that one is no source it is an update that has read v too. Reads-from
 * among such updates follows coherence (A8), so it ends, and at the one source. The same for y. Of
 * two updates that read from one write, one would come between it and the other in coherence
 * (A5), so each write of v is read by one update: the two ways are one, and x and y, which do not
 * hand v on, both stand at its end. */
#include "order/unique_taken.h"

#include "order/event.h"
#include "order/state.h"
#include "question/checker.h"

#include "base/ds.h"

typedef struct taken_question {
    order_pair *p;
    const order_event *taker; /* y */
    smt_t value;              /* v */
} taken_question;

static bool is_update(const ix_access *u, const ix_access *of)
{
    return u->atomic && u->got && !u->unknown && u->allocation == of->allocation &&
           order_strong(u, of);
}

static bool leaves_what_it_read(checker *k, query conjuncts, const order_event *update)
{
    return !order_refuted_with(k, conjuncts, order_written(k, update, update->app),
                               "sync-taken-left");
}

/* The write of that copy makes v of L, and does not hand it on. */
static smt_t is_source(const taken_question *q, const order_event *write)
{
    checker *k = q->p->k;
    smt_ctx *ctx = k->ctx;
    const ix_access *w = write->access;
    smt_t hands_on = smt_bool_const(ctx, false);
    if (is_update(w, q->taker->access))
        hands_on = smt_eq(ctx, order_term(k, write, w->got), q->value);
    smt_t makes = smt_and(ctx, order_written(k, write, q->value), smt_not(ctx, hands_on));
    smt_t partly = smt_not(ctx, order_exactly(k, write, q->taker));
    return smt_and(ctx, order_overlap(k, write, q->taker), smt_or(ctx, makes, partly));
}

static query with_source(const taken_question *q, const order_event *write, query conjuncts)
{
    checker *k = q->p->k;
    order_add_event(k, &conjuncts, write);
    return query_with(k, conjuncts, is_source(q, write));
}

static bool is_never_source(const taken_question *q, const ix_access *w)
{
    checker *k = q->p->k;
    order_event write = order_event_of(k, w, 2);
    return order_refuted(k, with_source(q, &write, q->p->both), "sync-taken-source");
}

static bool are_one_source(const taken_question *q, const ix_access *v, const ix_access *w)
{
    checker *k = q->p->k;
    order_event x = order_event_of(k, v, 2), y = order_event_of(k, w, 3);
    query first = with_source(q, &x, q->p->both), both = with_source(q, &y, first);
    smt_t two = smt_not(k->ctx, order_same_event(k, &x, &y));
    return order_refuted_with(k, both, two, "sync-taken-once");
}

static bool has_one_source(const taken_question *q, bool *assumed)
{
    checker *k = q->p->k;
    const summary *s = k->s;
    const ix_access *taker = q->taker->access, **sources = NULL;
    bool good = true;
    for (size_t i = 0; i < arrlenu(s->accesses) && good; i++) {
        const ix_access *w = &s->accesses[i];
        if (!w->writes || !order_may_share(w, taker) || is_never_source(q, w))
            continue;
        good = !w->unknown && w->width == taker->width && order_strong(w, taker);
        arrput(sources, w);
    }
    smt_t at_launch = order_initial(k, q->taker, q->value, assumed);
    good = good && (arrlenu(sources) == 0 ||
                    order_refuted_with(k, q->p->both, at_launch, "sync-taken-initial"));
    for (size_t i = 0; i < arrlenu(sources) && good; i++)
        for (size_t j = i; j < arrlenu(sources) && good; j++)
            good = are_one_source(q, sources[i], sources[j]);
    arrfree(sources);
    return good;
}

/* Have the two read one value of one location, and changed it? */
static bool both_take(order_pair *p, const order_event *x, const order_event *y)
{
    checker *k = p->k;
    smt_ctx *ctx = k->ctx;
    smt_t happen = smt_and(ctx, order_happens(k, x), order_happens(k, y));
    smt_t one = smt_and(ctx, order_exactly(k, x, y), smt_eq(ctx, x->app, y->app));
    return order_refuted_with(k, p->both, smt_not(ctx, smt_and(ctx, happen, one)),
                              "sync-taken-both") &&
           !leaves_what_it_read(k, p->both, x) && !leaves_what_it_read(k, p->both, y);
}

bool order_by_taking(order_pair *p, const order_event *read)
{
    checker *k = p->k;
    if (!is_update(read->access, read->access))
        return false;
    order_event *values = order_values_behind(k, p->a.access, 0);
    bool taken = false, assumed = false;
    for (size_t i = 0; i < arrlenu(values) && !taken; i++) {
        taken_question q = {.p = p, .taker = read, .value = values[i].app};
        taken = is_update(values[i].access, read->access) && both_take(p, &values[i], read) &&
                has_one_source(&q, &assumed);
    }
    arrfree(values);
    if (!taken)
        return false;
    order_state_of(k)->release = order_state_of(k)->acquire = read->access;
    if (assumed)
        order_rests_on_cleared(k, read->access);
    return true;
}

/* PHASES: one counter for all steps of a loop, a barrier at each.
 *
 * Lemma. Let every write of location L in the launch be an addition of 1 by one op R in a counted
 * loop, or an update that leaves what it has read, all morally strong to each other (A2), and let L
 * hold v0 at launch. Let R be executed once at most by a block in an iteration, by N blocks at most
 * (slots of L agree in the block id along an axis, or the axis counts with its extent), and let no
 * addition wrap. Suppose that (1) before R in an iteration s >= 1 its block has read v0 + N * s or
 * more at L, by an event that is token-before it. Let Q be an acquiring read at L of block B,
 * token-before b or b itself, that has read v0 + N * (t + 1) or more, and let (2) a be token-before
 * R of its block A in iteration t, or it, where that is executed, R release, and A have the ids of
 * blocks that add to L along the axes in which these agree. Then a happens before b in every
 * consistent execution with both. Proof. The writes of L form a chain from the launch's value (A5).
 * Take its first N * (t + 1) additions, all of which come before Q. None is of an iteration
 * s > t: what its block has read before it by (1) comes after all of these, so it does too (A8). So
 * they are of iterations 0 to t and of N blocks, once each: each of these has added in each of
 * these iterations, A in iteration t. Its addition is passed on by the updates between (D20) to Q,
 * which acquires it (D18). */
#include "order/phase.h"

#include "order/each.h"
#include "order/event.h"
#include "order/state.h"
#include "question/checker.h"
#include "question/two_events.h"

#include "base/ds.h"

typedef struct phase_question {
    order_pair *p;
    const ix_access *add; /* R */
    const order_event *read;
    smt_t held;   /* v0 */
    smt_t blocks; /* N */
    bool fixed[3];
    bool assumed;
} phase_question;

/* Returns what an iteration of the loop has found when it is complete; NULL: nothing is known. */
static const ix_universal *found_by(const checker *k, const ix_loop *loop)
{
    const summary *s = k->s;
    for (size_t i = 0; i < arrlenu(s->universals); i++)
        if (s->universals[i].variable == loop->counter)
            return &s->universals[i];
    return NULL;
}

static smt_t found_in(checker *k, const ix_universal *u, int copy, smt_t iteration)
{
    smt_t variable = copy_term(k, u->variable, COPY_OTHER_BLOCK, copy), within;
    smt_t statement = copy_term(k, u->statement, COPY_OTHER_BLOCK, copy);
    statement = smt_instantiate(k->ctx, statement, 1, &variable, &iteration, &within);
    return smt_implies(k->ctx, within, statement);
}

typedef struct read_search {
    checker *k;
    int allocation;
    smt_t *values; /* stb_ds array */
} read_search;

static void look(void *user, smt_t term)
{
    read_search *s = user;
    const ix_access *read = order_read_of(s->k, term);
    if (read && read->allocation == s->allocation)
        arrput(s->values, term);
}

/* An event of R that may be at L, as a slot: of the facts only those of the whole launch hold. */
static smt_t slot(const phase_question *q, const order_event *e)
{
    checker *k = q->p->k;
    smt_t all =
        smt_and(k->ctx, order_term(k, e, k->known.launch), order_term(k, e, e->access->path));
    all = smt_and(k->ctx, all, order_term(k, e, e->access->mask));
    return smt_and(k->ctx, all, order_overlap(k, e, q->read));
}

/* Does R's block look at R's element in the iteration before, whatever it finds there? Asked once:
 * most counters are of another kind. */
static bool looks_before_adding(checker *k, const ix_access *add)
{
    order_state *state = order_state_of(k);
    const ix_universal *u = found_by(k, add->loops[0]);
    if (!u || state->phased[add->number])
        return u && state->phased[add->number] > 0;
    smt_ctx *ctx = k->ctx;
    order_event r = order_event_of(k, add, 2);
    smt_t one = smt_int_const(ctx, 1), s = r.counters[0];
    query all = order_of_event(k, &r);
    query_add(k, &all, smt_le(ctx, one, s));
    smt_t before = found_in(k, u, 2, smt_sub(ctx, s, one));
    query_add(k, &all, before);
    read_search search = {.k = k, .allocation = add->allocation};
    smt_visit(ctx, before, look, &search);
    bool looks = false;
    for (size_t i = 0; i < arrlenu(search.values) && !looks; i++) {
        order_event seen = order_own_event(order_read_of(k, search.values[i]), search.values[i], 2);
        looks = order_refuted_with(k, all, smt_not(ctx, order_exactly(k, &seen, &r)),
                                   "sync-phase-looks");
    }
    arrfree(search.values);
    state->phased[add->number] = looks ? 1 : -1;
    return looks;
}

/* May the write be the adding op of the lemma? Only its form is looked at. */
static bool may_count_rounds(checker *k, const ix_access *w)
{
    smt_int by;
    return w->writes && w->atomic && !w->unknown && w->n_loops == 1 && w->got &&
           w->got->kind == SMT_APP && w->change == IX_CHANGE_ADD && smt_is_const(w->put, &by) &&
           by == 1 && looks_before_adding(k, w);
}

/* The only op that changes L; NULL where other ops do, or where it does not change L as a counter.
 */
static const ix_access *find_add(checker *k, const ix_access *read)
{
    const summary *s = k->s;
    const ix_access *add = NULL;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        if (!w->writes || !order_may_share(w, read))
            continue;
        if (w->unknown || w->width != read->width || !w->got || !w->atomic || !order_strong(w, w) ||
            !order_strong(w, read) || !order_continues(k, w))
            return NULL;
        if (order_leaves_value(w))
            continue;
        if (add)
            return NULL;
        add = w;
    }
    return add && may_count_rounds(k, add) ? add : NULL;
}

/* Are slots of L whole? In which axes do they agree, A with them? A block has one in an iteration:
 * R is in that loop alone, and of one element. */
static bool count_blocks(phase_question *q)
{
    checker *k = q->p->k;
    smt_ctx *ctx = k->ctx;
    order_event x = order_event_of(k, q->add, 2), y = order_event_of(k, q->add, 3);
    query one = query_with(k, q->p->both, slot(q, &x)), two = query_with(k, one, slot(q, &y));
    smt_t partly = smt_not(ctx, order_exactly(k, &x, q->read));
    bool good = order_refuted_with(k, one, partly, "sync-phase-whole");
    q->blocks = smt_int_const(ctx, 1);
    for (int axis = 0; axis < 3 && good; axis++) {
        smt_t other = smt_ne(ctx, x.block[axis], y.block[axis]);
        smt_t apart = smt_ne(ctx, x.block[axis], q->p->a.block[axis]);
        q->fixed[axis] = order_refuted_with(k, two, other, "sync-phase-axis") &&
                         order_refuted_with(k, one, apart, "sync-phase-own");
        if (!q->fixed[axis])
            q->blocks = smt_mul(ctx, q->blocks, k->s->grid[axis]);
    }
    return good;
}

/* `value` is v0 and `steps` whole rounds of additions, or more. */
static smt_t reaches(const phase_question *q, smt_t value, smt_t steps)
{
    smt_ctx *ctx = q->p->k->ctx;
    return smt_le(ctx, smt_mul(ctx, q->blocks, steps), smt_sub(ctx, value, q->held));
}

/* Does (1) hold, and does no addition wrap? */
static bool rounds_are_kept_apart(phase_question *q)
{
    checker *k = q->p->k;
    smt_ctx *ctx = k->ctx;
    const ix_universal *u = found_by(k, q->add->loops[0]);
    TR_ASSERT(u); /* looks_before_adding has asked for it */
    order_event r = order_event_of(k, q->add, 2);
    smt_t one = smt_int_const(ctx, 1), s = r.counters[0];
    smt_t limit = smt_int_const(ctx, ((smt_int)1 << (8 * q->add->width - 1)) - 1);
    smt_t most = smt_add(ctx, q->held, smt_mul(ctx, q->blocks, smt_add(ctx, s, one)));
    query all = query_with(k, q->p->both, slot(q, &r));
    bool good = order_refuted_with(k, all, smt_lt(ctx, limit, most), "sync-phase-wraps");
    query_add(k, &all, smt_le(ctx, one, s));
    smt_t before = found_in(k, u, 2, smt_sub(ctx, s, one));
    query_add(k, &all, before);
    read_search search = {.k = k, .allocation = q->add->allocation};
    smt_visit(ctx, before, look, &search);
    bool waits = false;
    for (size_t i = 0; i < arrlenu(search.values) && good && !waits; i++) {
        order_event seen = order_own_event(order_read_of(k, search.values[i]), search.values[i], 2);
        if (!order_strong(seen.access, q->add))
            continue;
        smt_t there = smt_and(ctx, order_exactly(k, &seen, &r), order_token_before(k, &seen, &r));
        there = smt_and(ctx, there, order_happens(k, &seen));
        there = smt_and(ctx, there, reaches(q, search.values[i], s));
        waits = order_refuted_with(k, all, smt_not(ctx, there), "sync-phase-waits");
    }
    arrfree(search.values);
    return waits;
}

/* Does (2) hold for R in that iteration of A's, and for what Q has read? */
static bool adds_in(phase_question *q, smt_t t)
{
    checker *k = q->p->k;
    smt_ctx *ctx = k->ctx;
    const ix_access *r = q->add;
    smt_t args[3 + IX_MAX_LOOPS + IR_MAX_RANK], got = r->got;
    order_event plain = order_event_of(k, r, 0);
    for (int axis = 0; axis < 3; axis++)
        args[axis] = q->p->a.block[axis];
    args[3] = t;
    for (int d = 0; d < r->rank; d++)
        args[4 + d] = plain.coordinate[d];
    order_event own =
        order_event_behind(r, smt_app(ctx, got->name, got->n_args, args, got->low, got->high));
    smt_t happens = smt_and(ctx, order_term(k, &own, r->path), order_term(k, &own, r->mask));
    query all = query_with(k, q->p->both, smt_and(ctx, happens, order_term(k, &own, r->facts)));
    smt_t wrong = smt_not(ctx, order_before_release(k, &q->p->a, &own));
    bool adds = order_refuted_with(k, all, wrong, "sync-phase-adds");
    smt_t early = smt_not(ctx, reaches(q, q->read->app, smt_add(ctx, t, smt_int_const(ctx, 1))));
    return adds && order_refuted_with(k, q->p->both, early, "sync-phase-reached");
}

static bool adds_in_time(phase_question *q)
{
    checker *k = q->p->k;
    const ix_access *a = q->p->a.access;
    if (a->n_loops == 0 || a->loops[0]->op != q->add->loops[0]->op)
        return adds_in(q, smt_int_const(k->ctx, 0));
    smt_t own = q->p->a.counters[0];
    return adds_in(q, own) || adds_in(q, smt_add(k->ctx, own, smt_int_const(k->ctx, 1)));
}

/* Tries one read Q. `known`: a and b happen, and what else is known of Q. */
static bool by_read(order_pair *p, query known, const order_event *read)
{
    checker *k = p->k;
    smt_ctx *ctx = k->ctx;
    const ix_access *add = NULL;
    if (!read->access->unknown && order_acquires(read->access))
        add = find_add(k, read->access);
    for (int d = 0; add && d < add->rank; d++)
        if (add->tile[d] != 1)
            add = NULL;
    if (!add || !order_releases(add))
        return false;
    phase_question q = {.add = add, .read = read};
    q.held = order_held(ctx, 5);
    order_pair all = {.k = k, .a = p->a, .b = p->b};
    all.both = query_with(k, known, order_initial(k, read, q.held, &q.assumed));
    q.p = &all;
    smt_t happens = order_term(k, read, smt_and(ctx, read->access->path, read->access->mask));
    smt_t follows = smt_and(ctx, order_after_acquire(k, read, &p->b), happens);
    if (!order_refuted_with(k, known, smt_not(ctx, follows), "sync-phase-after") ||
        !count_blocks(&q) || !adds_in_time(&q) || !rounds_are_kept_apart(&q))
        return false;
    order_state_of(k)->acquire = read->access;
    order_state_of(k)->release = add;
    if (q.assumed)
        order_rests_on_cleared(k, read->access);
    order_rests_on_choice(k, TRUST_UPDATES);
    return true;
}

/* Tries the reads of an iteration that b's block has already executed. */
static bool by_iteration(order_pair *p, smt_t found, smt_t there)
{
    checker *k = p->k;
    const summary *s = k->s;
    if (!order_refuted_with(k, p->both, smt_not(k->ctx, there), "sync-phase-there"))
        return false;
    query known = query_with(k, p->both, found);
    read_search search = {.k = k};
    bool ordered = false;
    for (size_t i = 0; i < s->n_allocations && !ordered; i++) {
        arrsetlen(search.values, 0);
        search.allocation = (int)i;
        smt_visit(k->ctx, found, look, &search);
        for (size_t v = 0; v < arrlenu(search.values) && !ordered; v++) {
            order_event read =
                order_own_event(order_read_of(k, search.values[v]), search.values[v], 1);
            ordered = by_read(p, known, &read);
        }
    }
    arrfree(search.values);
    return ordered;
}

/* Uses what the iteration before b's has found. */
static bool by_iteration_before(order_pair *p)
{
    checker *k = p->k;
    smt_t one = smt_int_const(k->ctx, 1);
    const ix_access *b = p->b.access;
    for (size_t d = 0; d < b->n_loops; d++) {
        const ix_universal *u = found_by(k, b->loops[d]);
        smt_t before = smt_sub(k->ctx, p->b.counters[d], one);
        if (u && by_iteration(p, found_in(k, u, 1, before), smt_le(k->ctx, one, p->b.counters[d])))
            return true;
    }
    return false;
}

/* Uses what the last iteration of a completed loop of b's block has found. */
static bool by_last_iteration(order_pair *p)
{
    checker *k = p->k;
    smt_t *apps = order_universals_behind(k, p->b.access), zero = smt_int_const(k->ctx, 0);
    bool ordered = false;
    for (size_t i = 0; i < arrlenu(apps) && !ordered; i++) {
        const ix_universal *u = order_universal_of(k, apps[i]);
        if (!u->last)
            continue;
        smt_t variable = copy_term(k, u->variable, COPY_OTHER_BLOCK, 1);
        smt_t last = order_universal_term(k, u, apps[i], u->last);
        smt_t found = order_universal_term(k, u, apps[i], u->statement);
        smt_t within, known = smt_instantiate(k->ctx, found, 1, &variable, &last, &within);
        smt_t there = order_universal_term(k, u, apps[i], u->app);
        there = smt_and(k->ctx, there, smt_and(k->ctx, within, smt_le(k->ctx, zero, last)));
        ordered = by_iteration(p, smt_implies(k->ctx, there, known), there);
    }
    arrfree(apps);
    return ordered;
}

bool order_by_phase(order_pair *p)
{
    checker *k = p->k;
    const summary *s = k->s;
    bool any = false;
    for (size_t i = 0; i < arrlenu(s->accesses) && arrlenu(s->universals) && !any; i++)
        any = may_count_rounds(k, &s->accesses[i]);
    if (!any)
        return false;
    order_event *values = order_values_behind(k, p->b.access, 1);
    bool ordered = false;
    for (size_t i = 0; i < arrlenu(values) && !ordered; i++)
        ordered = by_read(p, p->both, &values[i]);
    arrfree(values);
    return ordered || by_iteration_before(p) || by_last_iteration(p);
}

/* SEMAPHORE: a counter that each block raises, and lowers again when it is done or was not alone.
 *
 * Lemma. Let L be a location, and every write of L an update that leaves what it has read, an enter
 * (an addition of c, which is 1 or -1, by one op), or a leave (an addition of -c). All touch all of
 * L, are morally strong to each other (A2) and pass releases on (D20). Each leave X has an enter E
 * of its own block at L that is token-before it, and no other leave has the same one. Before a
 * block enters once more, the leave of its last enter has happened and is token-before the new one.
 * There are fewer blocks than half of the numbers of L's type. Let a and b be events of two blocks,
 * each in a section: its path says that an acquiring enter of its block at L has read what L held
 * at launch, the enter is token-before the event, and the event is token-before every leave that
 * has that enter; these release. Then a and b are ordered in every consistent execution with both.
 *
 * Proof. All writes of L are updates, so they form a chain from the launch's value v0 (A5), and
 * each reads v0 + c * (enters - leaves) of those before it, wrapped. A leave comes after its enter
 * in the chain (A8), so in any beginning of the chain the leaves have different enters that are in
 * it, and enters - leaves is the number of enters without a leave in it: at most one of each block,
 * as a block's enters and leaves take turns (A8). So it does not wrap, and who reads v0 has before
 * it in the chain as many leaves as enters: every enter before it has its leave before it too. Of
 * the enters of a and b let that of a be the earlier one in the chain. Its leave lies between the
 * two. a is token-before that leave, which releases; the updates after it pass this on, the enter
 * of b acquires it (D18), and b is token-after it. */
#include "order/semaphore.h"

#include "order/event.h"
#include "order/state.h"
#include "question/checker.h"
#include "question/two_events.h"

#include "base/ds.h"

enum { MAX_LEAVES = 8 };

typedef struct semaphore {
    checker *k;
    order_pair *p;
    order_event of_a, of_b; /* their enters */
    const ix_access *enter; /* the op */
    smt_int by;             /* c */
    size_t n_leaves;
    const ix_access *leaves[MAX_LEAVES];
    order_event enters[MAX_LEAVES]; /* theirs, as `before_leaves` has found them */
    const ix_access *release;
    bool assumed;
} semaphore;

/* ---- Section: what writes L ---- */

static bool is_link(const ix_access *w, const checker *k, const ix_access *enter)
{
    return w->got && w->got->kind == SMT_APP && !w->unknown && w->put && w->width == enter->width &&
           order_continues(k, w) && order_strong(w, w) && order_strong(w, enter);
}

/* The event happens, and may be at L. */
static query with_event(const semaphore *s, query conjuncts, const order_event *w)
{
    return order_premises_with(s->k, conjuncts, w, &s->of_b);
}

static bool is_whole(const semaphore *s, const ix_access *w)
{
    checker *k = s->k;
    order_event e = order_event_of(k, w, 2);
    query all = with_event(s, s->p->both, &e);
    return order_refuted_with(k, all, smt_not(k->ctx, order_exactly(k, &e, &s->of_b)),
                              "sync-semaphore-whole");
}

static bool find_writes(semaphore *s)
{
    checker *k = s->k;
    smt_int by;
    if (s->enter->change != IX_CHANGE_ADD || !is_link(s->enter, k, s->enter) || s->n_leaves != 0)
        return false;
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *w = &k->s->accesses[i];
        if (!w->writes || !order_may_share(w, s->enter))
            continue;
        if (!is_link(w, k, s->enter) || !is_whole(s, w))
            return false;
        if (w == s->enter || order_leaves_value(w))
            continue;
        if (w->change != IX_CHANGE_ADD || !smt_is_const(w->put, &by) || by != -s->by ||
            s->n_leaves == MAX_LEAVES)
            return false;
        s->leaves[s->n_leaves++] = w;
    }
    return s->n_leaves > 0;
}

/* ---- Section: enters and leaves take turns ---- */

/* Enters behind a leave: those that it speaks of, and the one of the same iteration. */
static order_event *enters_behind(const semaphore *s, const order_event *leave)
{
    checker *k = s->k;
    order_event *values = order_values_behind(k, leave->access, leave->copy);
    bool shared = s->enter->n_loops <= leave->access->n_loops;
    for (size_t d = 0; d < s->enter->n_loops && shared; d++)
        shared = s->enter->loops[d] == leave->access->loops[d];
    if (shared)
        arrput(values, order_event_of_value(k, s->enter, s->enter->got, leave->copy));
    return values;
}

/* Finds the enter of a leave that happens at L as the conjuncts say. These speak of no event beside
 * the pair and the leave, so that the choice is the same in every question. */
static bool find_enter(const semaphore *s, query conjuncts, const order_event *leave,
                       order_event *enter)
{
    checker *k = s->k;
    smt_ctx *ctx = k->ctx;
    order_event *values = enters_behind(s, leave);
    bool found = false;
    for (size_t i = 0; i < arrlenu(values) && !found; i++) {
        if (values[i].access != s->enter)
            continue;
        *enter = values[i];
        smt_t good = smt_and(ctx, order_happens(k, enter), order_token_before(k, enter, leave));
        good = smt_and(ctx, good, order_exactly(k, enter, leave));
        found = order_refuted_with(k, conjuncts, smt_not(ctx, good), "sync-semaphore-enter");
    }
    arrfree(values);
    return found;
}

/* When are the two one enter, with one number read? */
static smt_t same_enter(checker *k, const order_event *x, const order_event *y)
{
    return smt_and(k->ctx, order_same_event(k, x, y), smt_eq(k->ctx, x->app, y->app));
}

static bool leaves_once(const semaphore *s, const ix_access *v, const ix_access *w)
{
    checker *k = s->k;
    order_event x = order_event_of(k, v, 2), y = order_event_of(k, w, 3), of_x, of_y;
    query first = with_event(s, s->p->both, &x), both = with_event(s, first, &y);
    if (!find_enter(s, first, &x, &of_x) ||
        !find_enter(s, with_event(s, s->p->both, &y), &y, &of_y))
        return false;
    smt_t twice =
        smt_and(k->ctx, same_enter(k, &of_x, &of_y), smt_not(k->ctx, order_same_event(k, &x, &y)));
    return order_refuted_with(k, both, twice, "sync-semaphore-once");
}

/* Has the leave happened in the iteration before the enter's, for the enter there? */
static bool leaves_between(const semaphore *s, size_t i)
{
    checker *k = s->k;
    const ix_access *w = s->leaves[i];
    smt_ctx *ctx = k->ctx;
    if (w->n_loops != 1 || w->loops[0] != s->enter->loops[0] || w->rank != 0 ||
        smt_contains(s->enter->bytes, w->loops[0]->counter)) /* all enters are at one place */
        return false;
    order_event next = order_event_of(k, s->enter, 2), leave = order_event_of(k, w, 2);
    smt_t one = smt_int_const(ctx, 1), before = smt_sub(ctx, w->loops[0]->counter, one), within;
    smt_t path = smt_instantiate(ctx, smt_and(ctx, w->path, w->mask), 1, &w->loops[0]->counter,
                                 &before, &within);
    path = copy_term(k, smt_and(ctx, within, path), COPY_OTHER_BLOCK, 2);
    bool good = s->enters[i].counters[0] == leave.counters[0];
    leave.counters[0] = smt_sub(ctx, leave.counters[0], one);
    query all = with_event(s, s->p->both, &next);
    query_add(k, &all, smt_le(ctx, one, next.counters[0]));
    smt_t turns = smt_and(ctx, path, order_token_before(k, &leave, &next));
    return good && order_refuted_with(k, all, smt_not(ctx, turns), "sync-semaphore-turns");
}

/* Does the counter never wrap? A block has one enter without a leave at most, and the type has room
 * on the counter's side of the launch's value for as many as there are blocks. */
static bool never_wraps(semaphore *s)
{
    checker *k = s->k;
    smt_ctx *ctx = k->ctx;
    const ix_access *enter = s->enter;
    bool turns = enter->n_loops == 0;
    for (size_t i = 0; i < s->n_leaves && !turns && enter->n_loops == 1; i++)
        turns = leaves_between(s, i);
    smt_t blocks = smt_mul(ctx, k->s->grid[0], smt_mul(ctx, k->s->grid[1], k->s->grid[2]));
    smt_t half = smt_int_const(ctx, (smt_int)1 << (8 * enter->width - 1));
    smt_t start = order_held(ctx, 11);
    smt_t end = smt_add(ctx, smt_scale(ctx, start, s->by), blocks);
    smt_t wraps = smt_and(ctx, order_initial(k, &s->of_b, start, &s->assumed),
                          smt_or(ctx, smt_le(ctx, half, end), smt_le(ctx, half, blocks)));
    return turns && enter->rank == 0 &&
           order_refuted_with(k, s->p->both, wraps, "sync-semaphore-blocks");
}

static bool all_leave_once(const semaphore *s)
{
    for (size_t i = 0; i < s->n_leaves; i++)
        for (size_t j = i; j < s->n_leaves; j++)
            if (!leaves_once(s, s->leaves[i], s->leaves[j]))
                return false;
    return true;
}

/* ---- Section: sections ---- */

/* Does the event come before every leave that has its enter, and do these release? */
static bool before_leaves(semaphore *s, const order_event *e, const order_event *of_e)
{
    checker *k = s->k;
    smt_ctx *ctx = k->ctx;
    for (size_t i = 0; i < s->n_leaves; i++) {
        order_event x = order_event_of(k, s->leaves[i], 2), *own = &s->enters[i];
        query all = with_event(s, s->p->both, &x);
        if (!find_enter(s, all, &x, own))
            return false;
        bool releases = order_releases(s->leaves[i]);
        smt_t same = same_enter(k, own, of_e);
        smt_t told = releases ? order_token_before(k, e, &x) : smt_bool_const(ctx, false);
        if (!order_refuted_with(k, all, smt_and(ctx, same, smt_not(ctx, told)),
                                "sync-semaphore-leave"))
            return false;
        s->release = releases ? s->leaves[i] : s->release;
    }
    return true;
}

/* Does the event's path say that this enter has read no more than what L held at launch, and that
 * it is token-before the event? */
static bool is_alone(semaphore *s, const order_event *e, const order_event *enter)
{
    checker *k = s->k;
    smt_ctx *ctx = k->ctx;
    smt_int by;
    if (!order_acquires(enter->access) || enter->access->unknown ||
        !smt_is_const(enter->access->put, &by) || (by != 1 && by != -1))
        return false;
    s->by = by;
    smt_t start = order_held(ctx, 11);
    smt_t initial = order_initial(k, enter, start, &s->assumed);
    smt_t good = smt_and(ctx, order_happens(k, enter), order_after_acquire(k, enter, e));
    good =
        smt_and(ctx, good, smt_le(ctx, smt_scale(ctx, enter->app, by), smt_scale(ctx, start, by)));
    return order_refuted_with(k, s->p->both, smt_and(ctx, initial, smt_not(ctx, good)),
                              "sync-semaphore-alone");
}

static bool find_alone(semaphore *s, const order_event *e, const ix_access *op, order_event *enter)
{
    order_event *values = order_values_behind(s->k, e->access, e->copy);
    bool found = false;
    for (size_t i = 0; i < arrlenu(values) && !found; i++) {
        const ix_access *w = values[i].access;
        if (w->change != IX_CHANGE_ADD || (op && w != op))
            continue;
        *enter = values[i];
        found = is_alone(s, e, enter);
    }
    arrfree(values);
    return found;
}

bool order_by_semaphore(order_pair *p)
{
    checker *k = p->k;
    semaphore s = {.k = k, .p = p};
    if (!find_alone(&s, &p->a, NULL, &s.of_a) || !find_alone(&s, &p->b, s.of_a.access, &s.of_b))
        return false;
    s.enter = s.of_a.access;
    smt_t elsewhere = smt_not(k->ctx, order_exactly(k, &s.of_a, &s.of_b));
    if (!order_refuted_with(k, p->both, elsewhere, "sync-semaphore-word") || !find_writes(&s) ||
        !all_leave_once(&s) || !before_leaves(&s, &p->a, &s.of_a) ||
        !before_leaves(&s, &p->b, &s.of_b) || !never_wraps(&s))
        return false;
    order_state_of(k)->release = s.release;
    order_state_of(k)->acquire = s.enter;
    if (s.assumed)
        order_rests_on_cleared(k, s.enter);
    order_rests_on_choice(k, TRUST_UPDATES);
    return true;
}

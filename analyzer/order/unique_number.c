/* NUMBER: a number that is read and raised under a lock is another one for every section.
 *
 * Lemma. Let every write of a buffer be a store W that stands in one straight piece of code with a
 * load Q before it, which is no other store's, and a freeing U after it: W puts at Q's element what
 * Q has read plus a constant, from 1 to c; Q is token-before W; both are in a section that U ends.
 * Let any two different events of such loads that touch one element be in sections of one lock
 * word, by different takings. Let an element hold v0 at launch, let M bound the number of such
 * loads of an element, and let v0 + c * M stay in the type's range. Then different events of the
 * loads at one element read different numbers, and none is below v0. Proof. By LOCK the sections
 * are one after the other. A section that another one follows has come to its freeing, so it has
 * stored. Its store is before the next section's load, and every other store before that one: the
 * load reads it (A7). So the numbers rise from section to section, as nothing wraps. */
#include "order/unique_number.h"

#include "order/event.h"
#include "order/lock.h"
#include "question/checker.h"
#include "question/contents.h"

#include "base/ds.h"

/* The load whose number, raised by a constant, the store puts back; of straight code. */
static const ix_access *load_behind(checker *k, const ix_access *store, smt_int *by)
{
    const summary *s = k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *q = &s->accesses[i];
        bool fits = q->reads && !q->writes && !q->unknown && q->got && q->got->kind == SMT_APP &&
                    q->allocation == store->allocation && q->width == store->width;
        if (fits && q->op->parent == store->op->parent && q->op->ordinal < store->op->ordinal &&
            smt_is_const(smt_sub(k->ctx, store->put, q->got), by) && *by >= 1)
            return q;
    }
    return NULL;
}

typedef struct widest { /* an amount with the contract's bounds of what was loaded */
    checker *k;
} widest;

static smt_t within_contents(void *user, smt_t term)
{
    const widest *w = user;
    const contract_arg *arg = contents_facts_of(w->k, term);
    if (!arg || !arg->contents.min || !arg->contents.max)
        return NULL;
    smt_int low, high, above, below;
    smt_bounds(arg->contents.min, &low, &below);
    smt_bounds(arg->contents.max, &above, &high);
    const char *name = tr_arena_printf(w->k->arena, "amount@%u", term->id);
    bool fits = low <= high && high <= term->high;
    return fits ? smt_private_var_of_range(w->k->ctx, name, low, high) : NULL;
}

/* Guesses the most that an update may add, with loaded values in the range that the contract
 * states. That it adds no more, and nothing below 0, is asked before its numbers are tickets. */
static bool most_added(checker *k, smt_t amount, smt_int *most)
{
    const smt_int far = (smt_int)1 << 31;
    widest w = {k};
    smt_int low;
    smt_bounds(smt_rewrite(k->ctx, amount, within_contents, &w), &low, most);
    return *most > 0 && *most < far;
}

bool order_draw_of(checker *k, const ix_access *write, order_draw *draw)
{
    smt_int by;
    if (!write->writes || write->unknown || !write->put || write->allocation < 0)
        return false;
    if (write->atomic && write->change == IX_CHANGE_ADD && write->got &&
        write->got->kind == SMT_APP && order_strong(write, write)) {
        bool constant = smt_is_const(write->put, &by);
        if (constant ? by == 0 : !most_added(k, write->put, &by))
            return false;
        *draw = (order_draw){write, write, by, constant ? NULL : write->put};
        return true;
    }
    if (write->atomic || write->change != IX_CHANGE_PUT)
        return false;
    const ix_access *read = load_behind(k, write, &by);
    *draw = (order_draw){read, write, by, NULL};
    return read != NULL;
}

/* Do Q and W happen together, at one element, Q first? */
static bool puts_back(checker *k, const order_draw *draw)
{
    smt_ctx *ctx = k->ctx;
    order_event q = order_event_of(k, draw->read, 0), w = order_event_of(k, draw->write, 0);
    if (draw->read->rank != draw->write->rank)
        return false;
    for (int d = 0; d < draw->read->rank; d++)
        if (draw->read->tile[d] != draw->write->tile[d])
            return false;
    smt_t reads = order_term(k, &q, draw->read->mask),
          writes = order_term(k, &w, draw->write->mask);
    query all = query_of_launch(k);
    query_add(k, &all, order_term(k, &q, smt_and(ctx, draw->read->path, draw->read->facts)));
    query_add(k, &all, smt_or(ctx, reads, writes));
    smt_t good = smt_and(ctx, smt_and(ctx, reads, writes), order_exactly(k, &q, &w));
    good = smt_and(ctx, good, order_token_before(k, &q, &w));
    return order_refuted_with(k, all, smt_not(ctx, good), "sync-number-back");
}

/* Does some freeing behind W end the section that both Q and W are in? */
static bool is_ended(checker *k, const order_draw *draw, const order_event *taking)
{
    const summary *s = k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *u = &s->accesses[i];
        if (u->writes && u->op->parent == draw->write->op->parent &&
            u->op->ordinal > draw->write->op->ordinal && order_frees(k, u, taking))
            return true;
    }
    return false;
}

static bool is_in_section(checker *k, const order_draw *draw)
{
    order_event q = order_event_of(k, draw->read, 0), w = order_event_of(k, draw->write, 0);
    order_event of_q, of_w;
    query all = order_of_events(k, &q, &w);
    return order_holds_lock(k, &q, all, &of_q) && order_holds_lock(k, &w, all, &of_w) &&
           of_q.app == of_w.app && is_ended(k, draw, &of_q);
}

/* Are the sections of the two loads different ones of one word, wherever the loads meet? */
static bool take_turns(checker *k, const ix_access *x, const ix_access *y)
{
    smt_ctx *ctx = k->ctx;
    order_event a = order_event_of(k, x, 0), b = order_event_of(k, y, 1), of_a, of_b;
    query all = order_of_events(k, &a, &b);
    query_add(k, &all, order_overlap(k, &a, &b));
    query_add(k, &all, smt_not(ctx, order_same_event(k, &a, &b)));
    if (!order_holds_lock(k, &a, all, &of_a) || !order_holds_lock(k, &b, all, &of_b) ||
        of_a.access->allocation != of_b.access->allocation)
        return false;
    smt_t good = smt_and(ctx, order_exactly(k, &of_a, &of_b),
                         smt_not(ctx, order_same_event(k, &of_a, &of_b)));
    good = smt_and(ctx, good, order_exactly(k, &a, &b));
    return order_refuted_with(k, all, smt_not(ctx, good), "sync-number-turns");
}

static bool is_among(const ix_access **list, const ix_access *wanted)
{
    for (size_t i = 0; i < arrlenu(list); i++)
        if (list[i] == wanted)
            return true;
    return false;
}

bool order_numbers_are_guarded(checker *k, int allocation)
{
    const summary *s = k->s;
    const ix_access **loads = NULL;
    bool good = true;
    for (size_t i = 0; i < arrlenu(s->accesses) && good; i++) {
        const ix_access *w = &s->accesses[i];
        order_draw draw;
        if (!w->writes || (w->allocation >= 0 && w->allocation != allocation))
            continue;
        good = order_draw_of(k, w, &draw) && !w->atomic && !is_among(loads, draw.read) &&
               puts_back(k, &draw) && is_in_section(k, &draw);
        arrput(loads, draw.read);
    }
    for (size_t i = 0; i < arrlenu(loads) && good; i++)
        for (size_t j = i; j < arrlenu(loads) && good; j++)
            good = take_turns(k, loads[i], loads[j]);
    good = good && arrlenu(loads) > 0;
    arrfree(loads);
    return good;
}

/* EACH: a wait for many flags, of which one is the other block's.
 *
 * Behind a loop the summary knows what each of its iterations has found, and of a reduction what it
 * says of each element (ix_universal). A statement that holds for all values of its variable holds
 * for the one with which the acquire looks at the element that a's block releases: that iteration
 * or element is a read like any other, and FLAG or BITS is asked of it, with what is known of it.
 * The value is asked to be in the variable's range, and b's block to have come by the loop, so that
 * the iteration or element exists. */
#include "order/each.h"

#include "order/bits.h"
#include "order/event.h"
#include "order/flag.h"
#include "order/sum.h"
#include "order/values.h"
#include "question/checker.h"
#include "question/two_events.h"

#include "base/ds.h"

#include <string.h>

typedef struct each_search {
    checker *k;
    smt_t *apps; /* stb_ds array: applications that universals are kept for, or reads' values */
    bool of_reads;
} each_search;

const ix_universal *order_universal_of(const checker *k, smt_t app)
{
    const summary *s = k->s;
    if (app->kind != SMT_APP && app->kind != SMT_BAPP)
        return NULL;
    for (size_t i = 0; i < arrlenu(s->universals); i++)
        if (strcmp(s->universals[i].app->name, app->name) == 0)
            return &s->universals[i];
    return NULL;
}

static void look(void *user, smt_t term)
{
    each_search *search = user;
    const ix_access *read = search->of_reads ? order_read_of(search->k, term) : NULL;
    if (search->of_reads ? read && order_acquires(read)
                         : order_universal_of(search->k, term) != NULL)
        arrput(search->apps, term);
}

static smt_t *find(checker *k, smt_t in, bool of_reads)
{
    each_search search = {.k = k, .of_reads = of_reads};
    smt_visit(k->ctx, in, look, &search);
    return search.apps;
}

/* One of the universal's terms for an application that is over copy 1's variables already; *within:
 * there is such an application. */
static smt_t instance(checker *k, const ix_universal *u, smt_t app, smt_t term, smt_t *within)
{
    smt_t from[3 + IX_MAX_LOOPS + IR_MAX_RANK], to[3 + IX_MAX_LOOPS + IR_MAX_RANK];
    size_t n = 0;
    TR_ASSERT(u->app->n_args == app->n_args && app->n_args <= TR_COUNT(from));
    for (uint32_t i = 0; i < u->app->n_args; i++)
        if (u->app->args[i]->kind == SMT_VAR) {
            from[n] = copy_term(k, u->app->args[i], COPY_OTHER_BLOCK, 1);
            to[n++] = app->args[i];
        }
    return smt_instantiate(k->ctx, copy_term(k, term, COPY_OTHER_BLOCK, 1), n, from, to, within);
}

static smt_t term_at(checker *k, const ix_universal *u, smt_t app, smt_t term)
{
    smt_t within, here = instance(k, u, app, term, &within);
    return smt_is_bool(here) ? smt_and(k->ctx, within, here) : here;
}

smt_t order_universal_term(checker *k, const ix_universal *u, smt_t app, smt_t term)
{
    return term_at(k, u, copy_term(k, app, COPY_OTHER_BLOCK, 1), term);
}

/* Guesses the value of the variable with which the read touches the bytes that the write touches;
 * NULL: no such value is seen. */
static smt_t meeting(checker *k, const order_event *read, smt_t variable, const order_event *write)
{
    smt_ctx *ctx = k->ctx;
    smt_t zero = smt_int_const(ctx, 0), one = smt_int_const(ctx, 1);
    smt_t bytes = order_term(k, read, read->access->bytes);
    smt_t first = smt_guess_instance(ctx, bytes, 1, &variable, &zero);
    smt_t second = smt_guess_instance(ctx, bytes, 1, &variable, &one);
    smt_int step;
    if (read->access->unknown || write->access->unknown ||
        !smt_is_const(smt_sub(ctx, second, first), &step) || step == 0)
        return NULL;
    smt_t apart = smt_sub(ctx, order_term(k, write, write->access->bytes), first);
    return step > 0 ? smt_div(ctx, apart, smt_int_const(ctx, step))
                    : smt_neg(ctx, smt_div(ctx, apart, smt_int_const(ctx, -step)));
}

typedef struct one_of_all { /* a universal as copy 1's block knows it */
    smt_t holds;            /* b's block may have come by another way */
    smt_t variable, range, statement;
    smt_t also; /* holds wherever there is such an application */
} one_of_all;

/* Adds to the premises what the universal says with that value of its variable; false: the value
 * may be out of its range, or b's block may have come by another way. */
static bool add_value(order_pair *p, const one_of_all *all, smt_t value)
{
    checker *k = p->k;
    smt_t variable = all->variable, within;
    smt_t range = smt_instantiate(k->ctx, all->range, 1, &variable, &value, &within);
    smt_t there = smt_and(k->ctx, all->holds, smt_and(k->ctx, within, range));
    if (!order_refuted_with(k, p->both, smt_not(k->ctx, there), "sync-each-range"))
        return false;
    smt_t statement = smt_instantiate(k->ctx, all->statement, 1, &variable, &value, &within);
    query_add(k, &p->both, smt_implies(k->ctx, there, statement));
    query_add(k, &p->both, all->also);
    return true;
}

static bool orders_with(const order_pair *p, const one_of_all *all, smt_t app, smt_t value)
{
    checker *k = p->k;
    smt_t variable = all->variable, within;
    order_pair known = *p;
    if (!add_value(&known, all, value))
        return false;
    smt_t read_value = smt_instantiate(k->ctx, app, 1, &variable, &value, &within);
    order_event read = order_own_event(order_read_of(k, app), read_value, 1);
    return order_flag_proves(k, &p->a, &p->b, &read, known.both, NULL) ||
           order_bits_prove(k, &p->a, &p->b, &read, known.both);
}

/* A guess: the value with which the read is at the element, or the bit, that the write sets. */
static smt_t value_for(checker *k, const one_of_all *all, smt_t app, const ix_access *w)
{
    order_event read = order_event_behind(order_read_of(k, app), app);
    if (!w->writes || !order_may_share(w, read.access) || !order_releases(w))
        return NULL;
    order_event write = order_event_of(k, w, 0);
    smt_t value = meeting(k, &read, all->variable, &write);
    return value ? value : order_bits_meeting(k, all->statement, all->variable, w, read.access);
}

/* Tries to prove the order by one read of the statement, at the element of one of the writes that
 * tell of a. */
static bool orders_by_read(const order_pair *p, const one_of_all *all, smt_t app)
{
    const summary *s = p->k->s;
    bool ordered = false;
    for (size_t i = 0; i < arrlenu(s->accesses) && !ordered; i++) {
        smt_t value = value_for(p->k, all, app, &s->accesses[i]);
        ordered = value && orders_with(p, all, app, value);
    }
    return ordered;
}

/* ---- Section: universals, one in the other ---- */

enum { MOST_NESTED = 3 };

/* Reads that the statement speaks of, also through other universals; there with 0 for the
 * variable, which will do for guesses. */
static void add_reads(checker *k, smt_t statement, int depth, smt_t **reads)
{
    smt_t *own = find(k, statement, true), zero = smt_int_const(k->ctx, 0);
    for (size_t i = 0; i < arrlenu(own); i++)
        arrput(*reads, own[i]);
    arrfree(own);
    smt_t *inner = depth > 0 ? find(k, statement, false) : NULL;
    for (size_t i = 0; i < arrlenu(inner); i++) {
        const ix_universal *u = order_universal_of(k, inner[i]);
        smt_t variable = copy_term(k, u->variable, COPY_OTHER_BLOCK, 1);
        smt_t said = term_at(k, u, inner[i], u->statement);
        if (u->summand) /* so that its reads are among those of a truth */
            said = smt_and(k->ctx, said,
                           smt_le(k->ctx, inner[i], term_at(k, u, inner[i], u->summand)));
        add_reads(k, smt_guess_instance(k->ctx, said, 1, &variable, &zero), depth - 1, reads);
    }
    arrfree(inner);
}

/* Returns the values that the words can hold which the term speaks of (VALUES). *cleared: a read of
 * such words that hold 0 at launch, which no contract says. */
static smt_t possible_values(checker *k, smt_t term, const ix_access **cleared)
{
    smt_ctx *ctx = k->ctx;
    smt_t all = smt_bool_const(ctx, true), *reads = find(k, term, true);
    for (size_t i = 0; i < arrlenu(reads); i++) {
        const ix_access *read = order_read_of(k, reads[i]);
        bool assumed = false;
        smt_int low, high;
        if (!order_value_range(k, read, &low, &high, &assumed))
            continue;
        order_event e = order_event_behind(read, reads[i]);
        smt_t between = smt_and(ctx, smt_le(ctx, smt_int_const(ctx, low), reads[i]),
                                smt_le(ctx, reads[i], smt_int_const(ctx, high)));
        all = smt_and(ctx, all, smt_implies(ctx, order_term(k, &e, read->mask), between));
        *cleared = assumed ? read : *cleared;
    }
    arrfree(reads);
    return all;
}

/* The least or greatest of some elements is one of them. Where that element is such a value itself,
 * it is in turn one of its own elements.
 */
static smt_t picked(checker *k, smt_t app, int depth, const ix_access **cleared)
{
    const ix_universal *u = order_universal_of(k, app);
    if (!u || !u->also || depth == 0)
        return smt_bool_const(k->ctx, true);
    smt_t within, also = instance(k, u, app, u->also, &within);
    smt_t all = smt_and(k->ctx, also, possible_values(k, also, cleared));
    smt_t *inner = find(k, also, false);
    for (size_t i = 0; i < arrlenu(inner); i++)
        if (inner[i] != app)
            all = smt_and(k->ctx, all, picked(k, inner[i], depth - 1, cleared));
    arrfree(inner);
    return smt_implies(k->ctx, within, all);
}

static bool orders_by_universal(const order_pair *p, smt_t app, int depth);

/* Tries a universal that the statement speaks of, with the value of the outer variable for which a
 * read of the inner one asks. */
static bool orders_by_inner(const order_pair *p, const one_of_all *all, smt_t inner, int depth)
{
    checker *k = p->k;
    const summary *s = k->s;
    smt_t *reads = NULL, within, variable = all->variable;
    add_reads(k, smt_is_bool(inner) ? inner : smt_eq(k->ctx, inner, smt_int_const(k->ctx, 0)),
              depth, &reads);
    bool ordered = false;
    for (size_t r = 0; r < arrlenu(reads) && !ordered; r++)
        for (size_t i = 0; i < arrlenu(s->accesses) && !ordered; i++) {
            smt_t value = value_for(k, all, reads[r], &s->accesses[i]);
            order_pair known = *p;
            if (!value || !add_value(&known, all, value))
                continue;
            smt_t one = smt_instantiate(k->ctx, inner, 1, &variable, &value, &within);
            ordered = orders_by_universal(&known, one, depth - 1);
        }
    arrfree(reads);
    return ordered;
}

static bool orders_by_universal(const order_pair *p, smt_t app, int depth)
{
    checker *k = p->k;
    const ix_universal *u = order_universal_of(k, app);
    if (!u) /* the value made another term of it */
        return false;
    bool is_value = app->kind == SMT_APP; /* a reduction is one of its elements always */
    const ix_access *cleared = NULL;
    one_of_all all = {.holds = is_value ? smt_bool_const(k->ctx, true) : app,
                      .variable = copy_term(k, u->variable, COPY_OTHER_BLOCK, 1),
                      .range = term_at(k, u, app, u->range),
                      .statement = term_at(k, u, app, u->statement),
                      .also = picked(k, app, MOST_NESTED, &cleared)};
    if (u->summand)
        all.statement = smt_and(
            k->ctx, all.statement,
            order_sum_statement(k, u, app, term_at(k, u, app, u->summand), p->both, &cleared));
    bool ordered = false;
    smt_t *reads = find(k, all.statement, true);
    for (size_t r = 0; r < arrlenu(reads) && !ordered; r++)
        ordered = orders_by_read(p, &all, reads[r]);
    arrfree(reads);
    smt_t *inner = depth > 0 ? find(k, all.statement, false) : NULL;
    for (size_t i = 0; i < arrlenu(inner) && !ordered; i++)
        ordered = inner[i] != app && orders_by_inner(p, &all, inner[i], depth);
    arrfree(inner);
    if (ordered && cleared)
        order_rests_on_cleared(k, cleared);
    return ordered;
}

smt_t *order_universals_behind(checker *k, const ix_access *b)
{
    return find(k, smt_and(k->ctx, b->path, smt_and(k->ctx, b->facts, b->mask)), false);
}

bool order_each_asks(checker *k, const ix_access *read, const ix_access *b)
{
    smt_t *apps = order_universals_behind(k, b);
    bool asks = false;
    for (size_t i = 0; i < arrlenu(apps); i++) {
        smt_t *reads = find(k, order_universal_of(k, apps[i])->statement, true);
        for (size_t r = 0; r < arrlenu(reads); r++)
            asks |= order_read_of(k, reads[r]) == read;
        arrfree(reads);
    }
    arrfree(apps);
    return asks;
}

bool order_by_each(order_pair *p)
{
    checker *k = p->k;
    if (arrlenu(k->s->universals) == 0)
        return false;
    smt_t *apps = order_universals_behind(k, p->b.access);
    bool ordered = false;
    for (size_t i = 0; i < arrlenu(apps) && !ordered; i++)
        ordered = orders_by_universal(p, copy_term(k, apps[i], COPY_OTHER_BLOCK, 1), MOST_NESTED);
    arrfree(apps);
    return ordered;
}

/* EACH: a wait for many flags, of which one is the other block's.
 *
 * Behind a loop the summary knows what each of its iterations has found, and of a reduction what it
 * says of each element (ix_universal). A statement that holds for all values of its variable holds
 * for the one with which the acquire looks at the element that a's block releases: that iteration
 * or element is a read like any other, and FLAG or BITS is asked of it, with what is known of it.
 * The value is asked to be in the variable's range, and b's block to have come by the loop, so that
 * the iteration or element exists. */
#include "rules/sync.h"

#include "base/ds.h"

#include <string.h>

typedef struct each_search {
    checker *k;
    smt_t *apps; /* stb_ds array: applications that universals are kept for, or reads' values */
    bool of_reads;
} each_search;

const ix_universal *sync_universal_of(const checker *k, smt_t app)
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
    const ix_access *read = search->of_reads ? sync_read_of(search->k, term) : NULL;
    if (search->of_reads ? read && sync_acquires(read) : sync_universal_of(search->k, term) != NULL)
        arrput(search->apps, term);
}

static smt_t *find(checker *k, smt_t in, bool of_reads)
{
    each_search search = {.k = k, .of_reads = of_reads};
    smt_visit(k->ctx, in, look, &search);
    return search.apps;
}

smt_t sync_universal_term(checker *k, const ix_universal *u, smt_t app, smt_t term)
{
    smt_t from[3 + IX_MAX_LOOPS], to[3 + IX_MAX_LOOPS], within;
    size_t n = 0;
    TR_ASSERT(u->app->n_args == app->n_args && app->n_args <= TR_COUNT(from));
    for (uint32_t i = 0; i < u->app->n_args; i++)
        if (u->app->args[i]->kind == SMT_VAR) {
            from[n] = u->app->args[i];
            to[n++] = app->args[i];
        }
    smt_t here = smt_instantiate(k->ctx, term, n, from, to, &within);
    if (smt_is_bool(here))
        here = smt_and(k->ctx, within, here);
    return copy_term(k, here, COPY_OTHER_BLOCK, 1);
}

/* With which value of the variable does the read touch the bytes that the write does? NULL: with
 * none that is seen. */
static smt_t meeting(checker *k, const sync_event *read, smt_t variable, const sync_event *write)
{
    smt_ctx *ctx = k->ctx;
    smt_t zero = smt_int_const(ctx, 0), one = smt_int_const(ctx, 1);
    smt_t bytes = sync_term(k, read, read->access->bytes);
    smt_t first = smt_guess_instance(ctx, bytes, 1, &variable, &zero);
    smt_t second = smt_guess_instance(ctx, bytes, 1, &variable, &one);
    smt_int step;
    if (read->access->unknown || write->access->unknown ||
        !smt_is_const(smt_sub(ctx, second, first), &step) || step == 0)
        return NULL;
    smt_t apart = smt_sub(ctx, sync_term(k, write, write->access->bytes), first);
    return step > 0 ? smt_div(ctx, apart, smt_int_const(ctx, step))
                    : smt_neg(ctx, smt_div(ctx, apart, smt_int_const(ctx, -step)));
}

typedef struct one_of_all { /* a universal as copy 1's block knows it */
    smt_t holds;            /* b's block may have come by another way */
    smt_t variable, range, statement;
    smt_t also;
} one_of_all;

static bool orders_with(sync_pair *p, const one_of_all *all, smt_t app, smt_t value)
{
    checker *k = p->k;
    smt_t variable = all->variable, within;
    smt_t range = smt_instantiate(k->ctx, all->range, 1, &variable, &value, &within);
    smt_t there = smt_and(k->ctx, all->holds, smt_and(k->ctx, within, range));
    if (!sync_refuted_with(k, p->both, smt_not(k->ctx, there), "sync-each-range"))
        return false;
    smt_t *both = NULL;
    for (size_t i = 0; i < arrlenu(p->both); i++)
        arrput(both, p->both[i]);
    smt_t statement = smt_instantiate(k->ctx, all->statement, 1, &variable, &value, &within);
    arrput(both, smt_implies(k->ctx, there, statement));
    if (all->also)
        arrput(both, all->also);
    smt_t read_value = smt_instantiate(k->ctx, app, 1, &variable, &value, &within);
    sync_event read = sync_event_behind(sync_read_of(k, app), read_value);
    read.copy = 1;
    bool ordered = sync_flag_orders(k, &p->a, &p->b, &read, both, NULL) ||
                   sync_bits_order(k, &p->a, &p->b, &read, both);
    arrfree(both);
    return ordered;
}

/* One read of the statement, at the element of one of the writes that tell of a. */
static bool orders_by_read(sync_pair *p, const one_of_all *all, smt_t app)
{
    checker *k = p->k;
    const summary *s = k->s;
    sync_event read = sync_event_behind(sync_read_of(k, app), app);
    bool ordered = false;
    for (size_t i = 0; i < arrlenu(s->accesses) && !ordered; i++) {
        const ix_access *w = &s->accesses[i];
        if (!w->writes || !sync_may_share(w, read.access) || !sync_releases(w))
            continue;
        sync_event write = sync_event_of(k, w, 0);
        smt_t value = meeting(k, &read, all->variable, &write);
        value = value ? value : sync_bits_meeting(k, all->statement, all->variable, w, read.access);
        ordered = value && orders_with(p, all, app, value);
    }
    return ordered;
}

smt_t *sync_universals_behind(checker *k, const ix_access *b)
{
    return find(k, smt_and(k->ctx, b->path, smt_and(k->ctx, b->facts, b->mask)), false);
}

bool sync_each_asks(checker *k, const ix_access *read, const ix_access *b)
{
    smt_t *apps = sync_universals_behind(k, b);
    bool asks = false;
    for (size_t i = 0; i < arrlenu(apps); i++) {
        smt_t *reads = find(k, sync_universal_of(k, apps[i])->statement, true);
        for (size_t r = 0; r < arrlenu(reads); r++)
            asks |= sync_read_of(k, reads[r]) == read;
        arrfree(reads);
    }
    arrfree(apps);
    return asks;
}

bool sync_by_each(sync_pair *p)
{
    checker *k = p->k;
    if (arrlenu(k->s->universals) == 0)
        return false;
    smt_t *apps = sync_universals_behind(k, p->b.access);
    bool ordered = false;
    for (size_t i = 0; i < arrlenu(apps) && !ordered; i++) {
        const ix_universal *u = sync_universal_of(k, apps[i]);
        bool is_value = apps[i]->kind == SMT_APP; /* a reduction is one of its elements always */
        smt_t truth = is_value ? smt_bool_const(k->ctx, true) : u->app;
        one_of_all all = {.holds = sync_universal_term(k, u, apps[i], truth),
                          .variable = copy_term(k, u->variable, COPY_OTHER_BLOCK, 1),
                          .range = sync_universal_term(k, u, apps[i], u->range),
                          .statement = sync_universal_term(k, u, apps[i], u->statement),
                          .also = u->also ? sync_universal_term(k, u, apps[i], u->also) : NULL};
        const ix_access *cleared = NULL;
        if (u->summand)
            all.statement = smt_and(k->ctx, all.statement,
                                    sync_sum_statement(k, u, apps[i], p->both, &cleared));
        smt_t *reads = find(k, all.statement, true);
        for (size_t r = 0; r < arrlenu(reads) && !ordered; r++)
            ordered = orders_by_read(p, &all, reads[r]);
        if (ordered && cleared)
            sync_require_cleared(k, cleared);
        arrfree(reads);
    }
    arrfree(apps);
    return ordered;
}

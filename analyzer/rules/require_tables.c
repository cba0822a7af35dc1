/* What a launch has to guarantee of the tables that a kernel looks things up in: that they are long
 * enough for what is looked up, and that what is clamped to an end never gets there. */
#include "rules/require_search.h"

#include "base/ds.h"
#include "rules/sync.h"

typedef struct look {
    checker *k;
    smt_t path;
    require_proposal propose;
    void *search;
    smt_t found;
} look;

/* ---- Section: values looked up ---- */

static void look_for_contents(void *user, smt_t term)
{
    look *l = user;
    if (summary_contents_of(l->k->s, term, NULL) >= 0)
        l->found = term;
}

static bool reads_contents(checker *k, smt_t term)
{
    look l = {.k = k};
    smt_visit(k->ctx, term, look_for_contents, &l);
    return l.found != NULL;
}

/* `i < length ? table[i] : anything`: behind the table nothing is known of the value. */
static void look_at_choice(void *user, smt_t term)
{
    look *l = user;
    checker *k = l->k;
    if (term->kind != SMT_ITE || smt_is_bool(term))
        return;
    smt_t x = term->args[1], y = term->args[2];
    bool is_min = smt_min(k->ctx, x, y) == term, is_max = smt_max(k->ctx, x, y) == term;
    if (is_min || is_max) { /* a clamp: the own number stays on its side of the end */
        bool own_x = !term_is_launch_constant(k, x);
        if (own_x == !term_is_launch_constant(k, y))
            return;
        smt_t own = own_x ? x : y, end = own_x ? y : x;
        smt_t inside = is_min ? smt_le(k->ctx, own, end) : smt_le(k->ctx, end, own);
        smt_t fact = require_lift(k, inside, l->path);
        if (fact)
            l->propose(l->search, REQUIRE_STRIDE_RELATION, fact);
        return;
    }
    if (!reads_contents(k, x) || smt_is_const(y, NULL))
        return;
    smt_t fact = require_lift(k, term->args[0], l->path);
    if (fact)
        l->propose(l->search, REQUIRE_IN_BOUNDS, fact);
}

void require_look_at_tables(checker *k, const ix_access *a, require_proposal propose, void *search)
{
    look l = {k, smt_and(k->ctx, a->path, a->facts), propose, search, NULL};
    smt_visit(k->ctx, a->bytes, look_at_choice, &l);
}

/* bid * 64 + table[i]: every block has 64 places of its own when 0 <= table[i] < 64. -1: no such
 * thing; else the argument whose contents are meant. */
int require_contents_end(checker *k, smt_t sum, smt_int *end)
{
    smt_int own = 0, step = 0;
    int arg = -1;
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args; i++) {
        look l = {.k = k};
        smt_visit(k->ctx, sum->args[i], look_for_contents, &l);
        if (l.found && arg < 0) {
            int allocation = summary_contents_of(k->s, l.found, NULL);
            arg = k->s->allocations[allocation].first_arg;
            own = sum->coefs[i];
        } else if (l.found) {
            return -1;
        } else if (!term_is_launch_constant(k, sum->args[i]) && sum->coefs[i] > 0 &&
                   (step == 0 || sum->coefs[i] < step)) {
            step = sum->coefs[i];
        }
    }
    if (arg < 0 || own <= 0 || step <= own || step % own != 0)
        return -1;
    *end = step / own;
    return arg;
}

/* ---- Section: locks and flags ---- */

/* Accesses that synchronise are masked at the end of their table: a table that is too short leaves
 * some blocks without a lock. */
smt_t require_tables_hold(checker *k)
{
    smt_t all = smt_bool_const(k->ctx, true);
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (a->ordering == IR_WEAK || smt_is_true(a->mask))
            continue;
        smt_t fact = require_lift(k, a->mask, smt_and(k->ctx, a->path, a->facts));
        if (!fact || smt_is_false(fact) || !term_is_launch_constant(k, fact) ||
            contract_constrains(k, fact) || require_forces_axis(k, fact))
            continue;
        all = smt_and(k->ctx, all, fact);
    }
    return all;
}

/* Words that are swapped or exchanged in an order, and of which nobody says anything. */
static uint64_t lock_buffers(const checker *k)
{
    uint64_t args = 0;
    for (size_t i = 0; i < arrlenu(k->s->accesses) && k->contract->source == CONTRACT_NONE; i++) {
        const ix_access *a = &k->s->accesses[i];
        int arg = a->allocation < 0 ? -1 : k->s->allocations[a->allocation].first_arg;
        if (a->atomic && a->ordering != IR_WEAK && a->got && a->change == IX_CHANGE_SWAP &&
            arg >= 0 && arg < 64 && !k->contract->args[arg].contents.min &&
            !k->contract->args[arg].contents.max)
            args |= (uint64_t)1 << arg;
    }
    return args;
}

static const contract *cleared(checker *k, uint64_t args)
{
    contract *c = tr_arena_copy(k->arena, k->contract, sizeof *k->contract);
    c->args = tr_arena_copy(k->arena, c->args, c->n_args * sizeof *c->args);
    for (size_t i = 0; i < c->n_args && i < 64; i++)
        if (args >> i & 1)
            c->args[i].contents.min = c->args[i].contents.max = smt_int_const(k->ctx, 0);
    return c;
}

static void require_clear(checker *k, uint64_t args)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        int allocation = k->s->accesses[i].allocation;
        int arg = allocation < 0 ? -1 : k->s->allocations[allocation].first_arg;
        if (arg >= 0 && arg < 64 && args >> arg & 1)
            sync_require_cleared(k, &k->s->accesses[i]);
    }
}

/* What order by synchronisation may rest on. */
typedef struct premises {
    smt_t tables;   /* tables of locks and flags are long enough */
    smt_t chain;    /* the arrays of the two accesses do not overlap themselves */
    uint64_t locks; /* arguments that hold 0 at launch */
} premises;

static smt_t chain_of(checker *k, const ix_access *a, const ix_access *b)
{
    smt_t chain = smt_bool_const(k->ctx, true);
    const ix_access *both[2] = {a, b};
    for (int i = 0; i < 2; i++)
        if (both[i]->tensor && !layout_is_injective(k, both[i]->tensor))
            chain = smt_and(k->ctx, chain, layout_chain(k, both[i]->tensor));
    if (smt_is_false(chain) || !term_is_launch_constant(k, chain) || contract_constrains(k, chain))
        return smt_bool_const(k->ctx, true);
    return chain;
}

/* Are the two ordered with those premises? Leaves them in place when they are. */
static bool ordered_with(checker *k, const ix_access *a, const ix_access *b, const premises *p)
{
    smt_t launch = k->launch;
    const contract *stated = k->contract;
    struct sync_state *before = k->sync;
    k->launch = smt_and(k->ctx, launch, smt_and(k->ctx, p->tables, p->chain));
    k->contract = p->locks ? cleared(k, p->locks) : stated;
    k->sync = NULL; /* which locks there are was asked of the other launches */
    layout_forget(k);
    bool ordered = sync_orders(k, a, b);
    if (!ordered)
        k->sync = before;
    k->contract = stated;
    k->launch = launch;
    layout_forget(k);
    return ordered;
}

static void require_premises(checker *k, const premises *p)
{
    if (p->locks) {
        require_clear(k, p->locks);
        k->contract = cleared(k, p->locks);
    }
    if (!smt_is_true(p->tables))
        require_add_fact(k, REQUIRE_IN_BOUNDS, p->tables);
    if (!smt_is_true(p->chain))
        require_add_fact(k, REQUIRE_NO_SELF_OVERLAP, p->chain);
    layout_forget(k);
}

bool require_order(checker *k, const ix_access *a, const ix_access *b)
{
    smt_t any = smt_bool_const(k->ctx, true);
    premises p = {require_tables_hold(k), chain_of(k, a, b), lock_buffers(k)};
    if (smt_is_false(p.tables))
        p.tables = any;
    if (smt_is_true(p.tables) && smt_is_true(p.chain) && !p.locks)
        return false; /* nothing that was not asked before */
    if (!ordered_with(k, a, b, &p))
        return false;
    for (int part = 0; part < 3; part++) {
        premises fewer = p;
        if (part == 0)
            fewer.chain = any;
        else if (part == 1)
            fewer.tables = any;
        else
            fewer.locks = 0;
        bool same = fewer.chain == p.chain && fewer.tables == p.tables && fewer.locks == p.locks;
        if (!same && ordered_with(k, a, b, &fewer))
            p = fewer;
    }
    require_premises(k, &p);
    return true;
}

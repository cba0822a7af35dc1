/* A guard that lets one element too many through is asked to let all through: `e <= n`, where rows
 * are n long, meets the next row unless n is 64 or more, and then the guard never guards. Such a
 * fact excuses the mistake, so a launch may not be asked for it.
 *
 * The guards of an access are the conjuncts of its path and mask, where a conjunct that ends at a
 * minimum counts as two; what two conjuncts say together of an element that both compare, `e <=
 * length[b]` and `length[b] <= n`; each break behind the access in its loops; and each `min` and
 * `max` in path and mask, which takes one side or the other. The question about each guard is
 * whether it may fail (or take that side) in some event that all other guards let through.
 *
 * Where only one of two accesses loses its guard, the fact may be what the other one needs by
 * itself. It is not where the two never meet once the guard lets one or two elements less
 * through. */
#include "precondition/guards.h"

#include "precondition/clamps.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/layout.h"
#include "question/two_events.h"

#include "base/ds.h"

enum { MOST = 32 }; /* guards of an access, one bit each */

typedef struct guards {
    checker *k;
    smt_t found[MOST]; /* may be false in some event */
    smt_t rest[MOST];  /* what else lets the event happen */
    smt_t told[MOST];  /* facts that speak of this say no more than the guard */
    smt_t also[MOST];  /* so do those that speak of this; NULL: there are none */
    size_t n;
} guards;

static void add_of_two(guards *g, smt_t guard, smt_t rest, smt_t told, smt_t also)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->found[i] == guard)
            return;
    if (g->n < MOST) {
        g->found[g->n] = guard;
        g->told[g->n] = told;
        g->also[g->n] = also;
        g->rest[g->n++] = rest;
    }
}

static void add(guards *g, smt_t guard, smt_t rest, smt_t told)
{
    add_of_two(g, guard, rest, told, NULL);
}

/* `e < min(m, n)` is `e < m` and `e < n`: two guards. */
static bool add_halves(guards *g, smt_t guard, smt_t rest)
{
    smt_ctx *ctx = g->k->ctx;
    if (guard->kind != SMT_LE || guard->args[0]->kind != SMT_SUM)
        return false;
    smt_t sum = guard->args[0];
    for (uint32_t i = 0; i < sum->n_args; i++) {
        smt_t end = sum->args[i];
        if (end->kind != SMT_ITE)
            continue;
        smt_t x = end->args[1], y = end->args[2];
        if ((sum->coefs[i] < 0 ? smt_min(ctx, x, y) : smt_max(ctx, x, y)) != end)
            continue;
        smt_t without = smt_sub(ctx, sum, smt_scale(ctx, end, sum->coefs[i]));
        smt_t zero = smt_int_const(ctx, 0);
        smt_t below_x = smt_le(ctx, smt_add(ctx, without, smt_scale(ctx, x, sum->coefs[i])), zero);
        smt_t below_y = smt_le(ctx, smt_add(ctx, without, smt_scale(ctx, y, sum->coefs[i])), zero);
        add(g, below_x, smt_and(ctx, rest, below_y), guard);
        add(g, below_y, smt_and(ctx, rest, below_x), guard);
        return true;
    }
    return false;
}

static void add_conjuncts(guards *g, smt_t all, smt_t whole)
{
    if (all->kind == SMT_AND) {
        for (uint32_t i = 0; i < all->n_args; i++)
            add_conjuncts(g, all->args[i], whole);
        return;
    }
    if (smt_is_true(all) || term_is_launch_constant(g->k, all))
        return;
    smt_t rest = smt_bool_const(g->k->ctx, true);
    for (uint32_t i = 0; whole->kind == SMT_AND && i < whole->n_args; i++)
        if (whole->args[i] != all)
            rest = smt_and(g->k->ctx, rest, whole->args[i]);
    if (!add_halves(g, all, rest))
        add(g, all, rest, all);
}

/* `x <= y` and `y <= z` are `x <= z` where y is an element of a table; NULL: they share none. */
static smt_t across_element(checker *k, smt_t below, smt_t above)
{
    smt_ctx *ctx = k->ctx;
    bool sums = below->kind == SMT_LE && below->args[0]->kind == SMT_SUM && above->kind == SMT_LE &&
                above->args[0]->kind == SMT_SUM;
    smt_t x = sums ? below->args[0] : NULL, z = sums ? above->args[0] : NULL;
    for (uint32_t i = 0; sums && i < x->n_args; i++)
        for (uint32_t j = 0; j < z->n_args; j++)
            if (x->args[i] == z->args[j] && x->coefs[i] < 0 && z->coefs[j] > 0 &&
                summary_contents_of(k->s, x->args[i], NULL) >= 0)
                return smt_le(
                    ctx,
                    smt_add(ctx, smt_scale(ctx, x, z->coefs[j]), smt_scale(ctx, z, -x->coefs[i])),
                    smt_int_const(ctx, 0));
    return NULL;
}

/* Of each two guards so far, and of those that come of them. */
static void add_across_elements(guards *g)
{
    checker *k = g->k;
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < g->n; j++) {
            smt_t both = across_element(k, g->found[i], g->found[j]);
            if (!both || smt_is_true(both) || term_is_launch_constant(k, both))
                continue;
            smt_t rest = require_without(k, require_without(k, g->rest[i], g->told[j]), g->told[i]);
            add_of_two(g, both, rest, g->told[i], g->told[j]);
        }
}

typedef struct extremes {
    guards *g;
    smt_t whole;
} extremes;

static void look_for_extreme(void *user, smt_t term)
{
    extremes *e = user;
    smt_ctx *ctx = e->g->k->ctx;
    if (term->kind != SMT_ITE || smt_is_bool(term) ||
        (smt_min(ctx, term->args[1], term->args[2]) != term &&
         smt_max(ctx, term->args[1], term->args[2]) != term))
        return;
    /* `min(i, n) < end` guards against the clamped value, and does not keep it from clamping. */
    smt_t rest = require_without(e->g->k, e->whole, term);
    /* If both are equal, neither side is taken for the other's sake. */
    smt_t by = term->args[0], equal = smt_eq(ctx, term->args[1], term->args[2]);
    add(e->g, smt_or(ctx, by, equal), rest, by);
    add(e->g, smt_or(ctx, smt_not(ctx, by), equal), rest, smt_not(ctx, by));
}

/* A break behind the access guards its next iteration. */
static void add_breaks(guards *g, smt_t unbroken, smt_t whole)
{
    for (uint32_t i = 0; unbroken->kind == SMT_AND && i < unbroken->n_args; i++)
        add_breaks(g, unbroken->args[i], whole);
    if (unbroken->kind != SMT_AND && !smt_is_true(unbroken))
        add(g, unbroken, whole, unbroken);
}

static guards guards_of(checker *k, const ix_access *a)
{
    guards g = {.k = k};
    extremes e = {&g, smt_and(k->ctx, a->path, a->mask)};
    add_conjuncts(&g, e.whole, e.whole);
    add_across_elements(&g);
    if (a->unbroken)
        add_breaks(&g, a->unbroken, e.whole);
    smt_visit(k->ctx, e.whole, look_for_extreme, &e);
    return g;
}

typedef struct share { /* what the fact speaks of, or contents, in a guard */
    const checker *k;
    smt_t fact;
    bool any;
} share;

static void look_for_share(void *user, smt_t term)
{
    share *s = user;
    s->any |=
        term->kind == SMT_VAR && !summary_private(s->k->s, term) && smt_contains(s->fact, term);
    s->any |= summary_contents_of(s->k->s, term, NULL) >= 0;
}

static bool may_fail(const guards *g, const ix_access *a, size_t i, smt_t fact)
{
    checker *k = g->k;
    ix_access open = *a;
    query conjuncts = {0};
    open.path = g->rest[i];
    open.mask = smt_bool_const(k->ctx, true);
    open.facts = require_without(k, a->facts, g->told[i]);
    if (g->also[i])
        open.facts = require_without(k, open.facts, g->also[i]);
    copy_add_event(k, &conjuncts, &open, COPY_NONE, 0);
    query_add(k, &conjuncts, smt_not(k->ctx, g->found[i]));
    return ask_briefly(k, query_with(k, conjuncts, fact), "require-guard") != SMT_UNSAT;
}

uint32_t require_guards_open(checker *k, const ix_access *a, smt_t fact, uint32_t asked)
{
    guards g = guards_of(k, a);
    uint32_t open = 0;
    for (size_t i = 0; i < g.n; i++)
        if (asked >> i & 1 && may_fail(&g, a, i, fact))
            open |= (uint32_t)1 << i;
    return open;
}

/* What the guard's sum moves by from one element to the next: the largest number that divides all
 * of what is the block's own; 0: the guard is no comparison. */
static smt_int step_of(const guards *g, smt_t guard)
{
    smt_t sum = guard->kind == SMT_LE ? guard->args[0] : NULL;
    smt_int step = 0;
    for (uint32_t i = 0; sum && sum->kind == SMT_SUM && i < sum->n_args; i++)
        if (!term_is_launch_constant(g->k, sum->args[i]))
            step = smt_gcd(step, sum->coefs[i]);
    return step < 0 ? -step : step;
}

enum { TOO_MANY = 2 };

bool require_guards_too_wide(checker *k, const ix_access *a, uint32_t asked, copy_relation relation,
                             int copy, query pair)
{
    smt_ctx *ctx = k->ctx;
    guards g = guards_of(k, a);
    for (size_t i = 0; i < g.n; i++) {
        smt_int step = asked >> i & 1 ? step_of(&g, g.found[i]) : 0;
        for (smt_int less = step; less > 0 && less <= TOO_MANY * step; less += step) {
            smt_t sum = smt_add(ctx, g.found[i]->args[0], smt_int_const(ctx, less));
            smt_t narrower = copy_term(k, smt_le(ctx, sum, smt_int_const(ctx, 0)), relation, copy);
            if (ask_briefly(k, query_with(k, pair, narrower), "require-narrower") == SMT_UNSAT)
                return true;
        }
    }
    return false;
}

typedef struct meeting { /* does a variable of the one term occur in the other? */
    smt_t other;
    bool any;
} meeting;

static void look_for_meeting(void *user, smt_t term)
{
    meeting *m = user;
    m->any |= term->kind == SMT_VAR && smt_contains(m->other, term);
}

/* The fact and what the contract states of its variables: by `s == m * 8` a fact on s is one on m.
 */
static smt_t with_stated(checker *k, smt_t fact)
{
    smt_t all = fact;
    for (size_t i = 0; i < arrlenu(k->contract->facts); i++) {
        smt_t stated = k->contract->facts[i].term;
        meeting m = {.other = fact};
        smt_visit(k->ctx, stated, look_for_meeting, &m);
        if (m.any)
            all = smt_and(k->ctx, all, stated);
    }
    return all;
}

uint32_t require_guards_about(checker *k, const ix_access *a, smt_t fact)
{
    guards g = guards_of(k, a);
    uint32_t about = 0;
    fact = with_stated(k, fact);
    for (size_t i = 0; i < g.n; i++) {
        share s = {.k = k, .fact = fact};
        smt_visit(k->ctx, g.found[i], look_for_share, &s);
        about |= (uint32_t)s.any << i;
    }
    return about;
}

/* ---- Section: ranges of elements that a guard bounds ---- */

typedef struct bound_search {
    checker *k;
    int arg;
    bool upper;
    smt_t ends; /* all of them, as facts on the ends that the range gives */
    smt_t end;  /* of the range */
} bound_search;

/* `element - end <= 0`, or `end - element <= 0`, says that the range goes as far. */
static void look_for_bound(bound_search *s, smt_t guard)
{
    smt_ctx *ctx = s->k->ctx;
    if (guard->kind == SMT_AND) {
        for (uint32_t i = 0; i < guard->n_args; i++)
            look_for_bound(s, guard->args[i]);
        return;
    }
    smt_t sum = guard->kind == SMT_LE ? guard->args[0] : NULL;
    for (uint32_t i = 0; sum && sum->kind == SMT_SUM && i < sum->n_args; i++) {
        smt_t element = sum->args[i];
        if (sum->coefs[i] != (s->upper ? 1 : -1) ||
            summary_contents_arg(s->k->s, element) != s->arg)
            continue;
        smt_t rest = smt_sub(ctx, sum, smt_scale(ctx, element, sum->coefs[i]));
        if (!term_is_launch_constant(s->k, rest) || term_element_in(s->k, rest))
            continue;
        s->ends =
            smt_and(ctx, s->ends,
                    s->upper ? smt_le(ctx, smt_neg(ctx, rest), s->end) : smt_le(ctx, s->end, rest));
    }
}

smt_t require_guarded_ends(checker *k, const ix_access *a, int arg, bool upper, smt_t end)
{
    bound_search s = {k, arg, upper, smt_bool_const(k->ctx, true), end};
    look_for_bound(&s, a->path);
    look_for_bound(&s, a->mask);
    return s.ends;
}

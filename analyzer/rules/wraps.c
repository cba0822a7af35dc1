/* Arithmetic that promises nothing and may leave its type: unsigned arithmetic, shifts, and what
 * front ends emit without a flag.
 *
 * The access summary goes on with the exact value, which is easier to reason about, and leaves a
 * hazard. Where the launch excludes it, nothing else is needed. Where the contract allows it, the
 * summary is built again with the values that the machine computes. Where the contract is silent,
 * "it does not wrap" is a launch precondition as long as the first value that wraps leaves its
 * buffer or its index space, which is an error in itself. That is not so of `bid * 65536u`: block
 * 65536 writes where block 0 does, and a bound of the grid would only excuse this race. So where
 * the bound speaks of the grid alone, machine values are tried: when two blocks then meet in a
 * launch in which every access lies in its buffer, they stay.
 *
 * Machine values are what every launch computes, so the summary that has them is always right; the
 * choice is only about how much can be proved with it. */
#include "rules/wraps.h"

#include "precondition/lift.h"
#include "precondition/stated.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/contents.h"
#include "question/layout.h"
#include "rules/wraps_meet.h"
#include "witness/enumerate.h"

#include "base/ds.h"

#include <string.h>

static smt_t failure(checker *k, const ix_hazard *h)
{
    smt_t when = smt_and(k->ctx, h->path, smt_and(k->ctx, h->facts, h->assumed));
    return smt_and(k->ctx, when, smt_not(k->ctx, h->safe));
}

/* May the value wrap? Where machine values are asked for, only what the caller states keeps it from
 * wrapping: launches that never enter a branch may break what an assert in it asks of the launch.
 */
static bool may_wrap(checker *k, const ix_hazard *h)
{
    smt_t fails = failure(k, h);
    if (h->kind != IX_WRAP || h->undefined || smt_is_false(fails))
        return false;
    smt_t launch =
        k->wraps.machine_values ? smt_and(k->ctx, k->s->launch, k->given) : k->known.launch;
    query wraps = query_with(k, query_with(k, (query){0}, launch), fails);
    return ask_event(k, wraps, "no-wrap").verdict != SMT_UNSAT;
}

/* ---- Section: which of them ---- */

typedef struct grid_search {
    const checker *k;
    bool grid, stranger;
} grid_search;

static void look_for_grid(void *user, smt_t term)
{
    grid_search *s = user;
    bool is_grid = false;
    if (term->kind == SMT_APP || term->kind == SMT_BAPP)
        s->stranger = true;
    if (term->kind != SMT_VAR)
        return;
    for (int axis = 0; axis < 3; axis++)
        is_grid |= term == s->k->s->grid[axis];
    s->grid |= is_grid;
    s->stranger |= !is_grid && !summary_private(s->k->s, term);
}

/* Is nothing in the term but ids, counters, lanes and extents of the grid? */
bool wraps_is_of_grid(const checker *k, smt_t term)
{
    grid_search s = {.k = k};
    smt_visit(k->ctx, term, look_for_grid, &s);
    return !s.stranger;
}

enum { LARGE = 300 }; /* terms; of larger ones nobody asks */

/* Does it compare something of the block's own, `i < n`, other than what a table holds there? */
static bool compares_own(const checker *k, smt_t term)
{
    bool own = term->kind == SMT_VAR && !term_is_launch_constant(k, term);
    for (uint32_t i = 0; i < term->n_args && !own && term->kind != SMT_APP; i++)
        own = term->kind != SMT_BAPP && compares_own(k, term->args[i]);
    return own;
}

/* Do parameters and tables alone decide the condition, so that some launch takes the branch? A mask
 * such as `i < n` is no such condition: it keeps far blocks out in the launches that are meant. */
bool wraps_is_branch(const checker *k, smt_t condition)
{
    return !smt_is_larger(condition, LARGE) && !compares_own(k, condition);
}

static void look_for_branch(void *user, smt_t term)
{
    wraps_branches *s = user;
    if (term->kind != SMT_ITE || !wraps_is_branch(s->k, term->args[0]) || s->n == WRAPS_BRANCHES)
        return;
    for (size_t i = 0; i < s->n; i++)
        if (s->found[i] == term->args[0])
            return;
    s->found[s->n++] = term->args[0];
}

void wraps_find_branches(wraps_branches *branches, smt_t term)
{
    smt_visit(branches->k->ctx, term, look_for_branch, branches);
}

/* The part of a conjunction that is about the grid alone, if the rest are such branches; else all
 * of it. */
smt_t wraps_grid_part(const checker *k, smt_t all)
{
    smt_t kept = smt_bool_const(k->ctx, true);
    bool is_and = all->kind == SMT_AND;
    for (uint32_t i = 0; i < (is_and ? all->n_args : 1); i++) {
        smt_t part = is_and ? all->args[i] : all;
        if (wraps_is_of_grid(k, part))
            kept = smt_and(k->ctx, kept, part);
        else if (!wraps_is_branch(k, part))
            return all;
    }
    return kept;
}

/* ---- Section: which blocks ---- */

bool wraps_value_at(void *user, smt_t variable, size_t n_args, const smt_int *args, smt_int *value)
{
    const wraps_place *p = user;
    (void)n_args;
    (void)args;
    if (variable->kind != SMT_VAR)
        return false;
    *value = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (variable == p->k->s->block_id[axis])
            *value = axis == p->axis ? p->id : 0;
        if (variable == p->k->s->grid[axis] && !p->many)
            return false; /* how many blocks there are is not known yet */
        if (variable == p->k->s->grid[axis])
            *value = axis == p->axis ? INT32_MAX : 1;
    }
    return true;
}

int64_t wraps_stated_blocks(const checker *k, int axis)
{
    smt_int blocks;
    return smt_is_const(k->s->grid[axis], &blocks) ? (int64_t)blocks : 0;
}

/* No block wraps before block `id` of the axis does, in the launches of that many blocks and more:
 * where the block alone decides it, blocks are tried. The bound is one of the extent by its name:
 * of one that is stated, or known to be large, nothing would be left. NULL: none of them does, or
 * others decide. */
static smt_t bound_by_blocks(const checker *k, const ix_hazard *h, smt_t when, smt_t within)
{
    for (int axis = 0; axis < 3; axis++) {
        wraps_place p = {k, axis, 0, false, true, true};
        smt_int happens = 1, safe = 1;
        bool known = h->n_loops == 0 && smt_contains(within, k->s->block_id[axis]);
        int64_t stated = wraps_stated_blocks(k, axis);
        int64_t end = stated && stated < WRAPS_SCANNED ? stated : WRAPS_SCANNED;
        for (; known && p.id < end; p.id++) {
            known = smt_eval(when, wraps_value_at, &p, &happens) &&
                    smt_eval(within, wraps_value_at, &p, &safe);
            if (known && happens && !safe)
                return smt_le(k->ctx, contract_grid(k->ctx, axis), smt_int_const(k->ctx, p.id));
        }
    }
    return NULL;
}

/* `when` something is executed, a value stays `within` its type if the grid has no more blocks than
 * that. NULL: others than the grid decide. */
static smt_t bound_of_value(checker *k, const ix_hazard *h, smt_t when, smt_t within)
{
    if (!wraps_is_of_grid(k, within))
        return NULL;
    smt_t bound = require_lift(k, within, when);
    grid_search s = {.k = k};
    if (bound)
        smt_visit(k->ctx, bound, look_for_grid, &s);
    return bound && s.grid && !s.stranger ? bound : bound_by_blocks(k, h, when, within);
}

/* Like bound_of_value(), where some branches, `b * (n > 3 ? 65536u : 1u)`, take a side that some
 * launch takes. */
static smt_t bound_of_sides(checker *k, const ix_hazard *h, const wraps_branches *branches,
                            size_t first, smt_t when, smt_t within)
{
    smt_t bound = smt_is_true(within) ? NULL : bound_of_value(k, h, when, within);
    for (int side = 0; side < 2 && first < branches->n && !bound; side++) {
        smt_t taken = branches->found[first];
        if (side)
            taken = smt_not(k->ctx, taken);
        bound = bound_of_sides(k, h, branches, first + 1, smt_assume(k->ctx, when, taken),
                               smt_assume(k->ctx, within, taken));
    }
    return bound;
}

/* The bound that keeps the hazard from happening speaks of the grid alone; NULL: it does not. A
 * branch of parameters or tables, `if (n > 3)`, is one that some launch takes. */
static smt_t bound_of_grid(checker *k, const ix_hazard *h)
{
    wraps_branches branches = {.k = k};
    if (smt_is_larger(h->safe, LARGE) || smt_is_larger(h->path, LARGE))
        return NULL;
    wraps_find_branches(&branches, h->safe);
    smt_t when = wraps_grid_part(k, smt_and(k->ctx, h->path, h->facts));
    return bound_of_sides(k, h, &branches, 0, when, h->safe);
}

/* ---- Section: values that the contract states, and that all wrap ---- */

enum { OUT_OF_TYPE = 100 * 1000 };

typedef struct element_search {
    checker *k;
    smt_t found; /* an element of a buffer whose contents the contract bounds */
} element_search;

static void look_for_stated(void *user, smt_t term)
{
    element_search *s = user;
    int arg = summary_contents_arg(s->k->s, term);
    if (arg >= 0 &&
        (s->k->contract->args[arg].contents.min || s->k->contract->args[arg].contents.max))
        s->found = term;
}

/* Does the value wrap for each number that the contract gives the element, as 2 * t[i] does for an
 * unsigned table that holds 2^31 - 1 and more? To ask that it does not wrap would contradict the
 * contract. */
static bool wraps_as_stated(checker *k, const ix_hazard *h)
{
    smt_ctx *ctx = k->ctx;
    element_search s = {.k = k};
    smt_visit(ctx, h->safe, look_for_stated, &s);
    const contract_arg *arg = s.found ? contents_facts_of(k, s.found) : NULL;
    if (!arg)
        return false;
    int bits = contents_bits_of(s.found);
    smt_t value = contract_value(ctx);
    smt_t number = contents_as_stated(k, &arg->contents, bits, value);
    smt_t stated = contents_stated_of(k, arg, bits, contract_index(ctx), value);
    smt_t safe = smt_guess_instance(ctx, h->safe, 1, &s.found, &number);
    return ask_never(k, smt_and(ctx, stated, safe), "wraps-as-stated", OUT_OF_TYPE) &&
           !ask_never(k, stated, "wraps-as-stated", OUT_OF_TYPE);
}

/* Does some launch keep the value in its type in every block? Then a condition on the launch alone
 * is enough for it, and meets the contract. */
static bool some_launch_keeps(checker *k, const ix_hazard *h)
{
    smt_ctx *ctx = k->ctx;
    smt_t when = smt_and(ctx, h->path, h->facts);
    smt_t kept = require_lift(k, h->safe, when);
    if (!kept || ask_never(k, kept, "wraps-kept", OUT_OF_TYPE))
        return false;
    query wraps = query_with(k, query_of_launch(k), kept);
    query_add(k, &wraps, failure(k, h));
    return ask_verdict(k, wraps, "wraps-kept", OUT_OF_TYPE) == SMT_UNSAT;
}

bool wraps_are_stated(checker *k, const ix_hazard *h)
{
    /* Nothing rests on the values of what is undefined. */
    if (h->undefined && require_leaves_count(k, h->safe))
        return false;
    return require_contract_constrains(k, h->safe) &&
           (require_contract_sizes(k, h->safe) || !some_launch_keeps(k, h));
}

/* Marks what may wrap, and that: stated, or with a bound of the grid alone, which goes into
 * *bounds. True where there is something new. */
static bool mark(checker *k, bool stated, bool *wraps, smt_t *bounds)
{
    bool any = false;
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++) {
        const ix_hazard *h = &k->s->hazards[i];
        if (h->kind != IX_WRAP || h->undefined)
            continue;
        bool as_stated = k->wraps.machine_values || wraps_are_stated(k, h) || wraps_as_stated(k, h);
        if (as_stated != stated)
            continue;
        smt_t bound = stated ? smt_bool_const(k->ctx, true) : bound_of_grid(k, h);
        if (!bound || !may_wrap(k, h))
            continue;
        *bounds = smt_and(k->ctx, *bounds, bound);
        any |= !wraps[h->op->ordinal];
        wraps[h->op->ordinal] = true;
    }
    return any;
}

/* ---- Section: another summary ---- */

void wraps_take_summary(checker *k, summary *s)
{
    for (size_t i = 0; i < arrlenu(k->wraps.replaced); i++)
        if (k->wraps.replaced[i] == s) { /* one that was tried is taken back */
            arrdel(k->wraps.replaced, i);
            break;
        }
    arrput(k->wraps.replaced, k->s);
    k->s = s;
    k->known.presumed = NULL;
    layout_forget(k);
    enumerate_again(k);
}

static summary *build(checker *k, const bool *wraps)
{
    return summary_build_doubting(k->arena, k->ctx, k->kernel, k->contract, wraps);
}

enum { ROUNDS = 4 }; /* what comes after a value that wraps may wrap too */

/* ---- Section: both ---- */

static void follow_stated(checker *k, bool *wraps)
{
    smt_t ignored = smt_bool_const(k->ctx, true);
    for (int round = 0; round < ROUNDS && mark(k, true, wraps, &ignored); round++)
        wraps_take_summary(k, build(k, wraps));
}

static void try_beyond_grid(checker *k, bool *wraps)
{
    smt_t bounds = smt_bool_const(k->ctx, true);
    bool *tried = tr_arena_copy(k->arena, wraps, (k->kernel->n_ops + 1) * sizeof *wraps);
    summary *exact = k->s;
    for (int round = 0; round < ROUNDS && mark(k, false, tried, &bounds); round++)
        wraps_take_summary(k, build(k, tried));
    if (k->s == exact)
        return;
    if (wraps_any_meet(k, exact, bounds))
        memcpy(wraps, tried, (k->kernel->n_ops + 1) * sizeof *wraps);
    else
        wraps_take_summary(k, exact);
}

void follow_wraps(checker *k)
{
    bool *wraps = TR_NEW_ARRAY(k->arena, bool, k->kernel->n_ops + 1);
    follow_stated(k, wraps);
    try_beyond_grid(k, wraps);
    k->wraps.doubted = wraps;
}

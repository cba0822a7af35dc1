/* Do both kernels store to the same elements, for all launches that both contracts allow? For each
 * store of one of them a tile block, an iteration and an element of the other are guessed that
 * store to the same element; that they do is proved. */
#include "compare/footprint.h"
#include "strategies/prove.h"

#include <string.h>

#include "base/ds.h"

#define MOST_STEPS ((smt_steps)2000000) /* of one question */

typedef struct proving {
    comparing *c;
    smt_ctx *ctx;
    smt_prover *prover;
    smt_t *launch; /* stb_ds array: what holds at all launches, but for block ids */
    smt_t *ids[2]; /* stb_ds arrays: what holds of a side's block ids */
    const char *why;
} proving;

/* ---- Section: Terms of one context ---- */

static smt_t take(const proving *p, int side, smt_t term)
{
    return !term || side == COMPARE_A ? term : footprint_import(p->c, term);
}

static bool mentions_ids(const proving *p, int side, smt_t term)
{
    const summary *s = p->c->side[side].summary;
    for (int axis = 0; axis < 3; axis++) {
        smt_t id = take(p, side, s->block_id[axis]);
        if (id->kind == SMT_VAR && smt_contains(term, id))
            return true;
    }
    return false;
}

static void add_fact(proving *p, int side, smt_t fact)
{
    if (fact->kind == SMT_AND)
        for (uint32_t i = 0; i < fact->n_args; i++)
            add_fact(p, side, fact->args[i]);
    else if (mentions_ids(p, side, fact))
        arrput(p->ids[side], fact);
    else
        arrput(p->launch, fact);
}

/* A number of both is in the range that B's contract gives it. */
static void add_ranges(proving *p)
{
    const compare_side *b = &p->c->side[COMPARE_B];
    for (size_t i = 0; i < b->kernel->contract->n_args; i++) {
        if (b->kernel->contract->args[i].kind != CONTRACT_SCALAR)
            continue;
        smt_t own = contract_param(b->input.ctx, b->kernel->contract, i);
        smt_t shared = footprint_import(p->c, own);
        if (own->low > SMT_NO_LOW)
            arrput(p->launch, smt_ge(p->ctx, shared, smt_int_const(p->ctx, own->low)));
        if (own->high < SMT_NO_HIGH)
            arrput(p->launch, smt_le(p->ctx, shared, smt_int_const(p->ctx, own->high)));
    }
}

/* ---- Section: Stores ---- */

/* Why nothing can be proved of the store; or NULL. */
static const char *why_not(const ix_access *a)
{
    if (a->unknown || a->allocation < 0)
        return "the address of a store depends on a value that is not followed";
    if (!a->bytes || a->half)
        return "elements share a byte";
    for (size_t i = 0; i < a->n_loops; i++)
        if (a->loops[i]->goes_on || !a->loops[i]->last)
            return "a store is in a loop whose number of iterations is not known";
    return NULL;
}

static footprint footprint_of(const proving *p, int side, const ix_access *a)
{
    const compare_side *of = &p->c->side[side];
    smt_ctx *own = of->input.ctx;
    footprint f = {.path = take(p, side, a->path),
                   .facts = take(p, side, a->facts),
                   .mask = take(p, side, a->mask),
                   .bytes = take(p, side, a->bytes),
                   .rank = a->tensor ? a->tensor->rank : 0};
    for (int d = 0; d < f.rank; d++)
        f.coordinate[d] = take(p, side, a->coordinate[d]);
    for (int axis = 0; axis < 3; axis++)
        if (of->summary->block_id[axis]->kind == SMT_VAR)
            f.own[f.n_own++] = take(p, side, of->summary->block_id[axis]);
    for (size_t i = 0; i < a->n_loops; i++)
        f.own[f.n_own++] = take(p, side, a->loops[i]->counter);
    for (int d = 0; d < a->rank; d++)
        if (a->tile[d] > 1)
            f.own[f.n_own++] = take(p, side, ix_coordinate(own, d, a->tile[d]));
    return f;
}

static bool stores_to(const proving *p, int side, const ix_access *a, size_t pair)
{
    return (a->writes || a->atomic) && a->arg == p->c->match.arrays[pair][side];
}

/* ---- Section: One question ---- */

static bool holds(proving *p, const smt_t *given, smt_t goal)
{
    smt_t *all = NULL;
    if (goal->kind == SMT_AND) {
        bool good = true;
        for (uint32_t i = 0; i < goal->n_args && good; i++)
            good = holds(p, given, goal->args[i]);
        return good;
    }
    for (size_t i = 0; i < arrlenu(given); i++)
        arrput(all, given[i]);
    arrput(all, smt_not(p->ctx, goal));
    bool good =
        smt_check_verdict(p->prover, arrlenu(all), all, MOST_STEPS, "footprint") == SMT_UNSAT;
    arrfree(all);
    return good;
}

static smt_t at(proving *p, const footprint *y, const smt_t *values, smt_t term)
{
    smt_t within, result = smt_instantiate(p->ctx, term, y->n_own, y->own, values, &within);
    return smt_and(p->ctx, within, result);
}

static bool in_range(proving *p, const smt_t *given, const footprint *y, const smt_t *values)
{
    for (size_t i = 0; i < y->n_own; i++) {
        smt_t variable = y->own[i];
        smt_t low = smt_ge(p->ctx, values[i], smt_int_const(p->ctx, variable->low));
        smt_t high = smt_le(p->ctx, values[i], smt_int_const(p->ctx, variable->high));
        if ((variable->low > SMT_NO_LOW && !holds(p, given, low)) ||
            (variable->high < SMT_NO_HIGH && !holds(p, given, high)))
            return false;
    }
    return true;
}

/* Does `y`, with these values, store to the element that `x` stores to, whenever `x` does? */
static bool meets(proving *p, int side, const footprint *x, const footprint *y, const smt_t *values)
{
    smt_t *given = NULL;
    for (size_t i = 0; i < arrlenu(p->launch); i++)
        arrput(given, p->launch[i]);
    for (size_t i = 0; i < arrlenu(p->ids[side]); i++)
        arrput(given, p->ids[side][i]);
    arrput(given, x->path);
    arrput(given, x->facts);
    arrput(given, x->mask);
    /* The facts that are given may not contradict each other: anything would follow. */
    bool good = !holds(p, given, smt_bool_const(p->ctx, false)) && in_range(p, given, y, values);
    for (size_t i = 0; i < arrlenu(p->ids[1 - side]) && good; i++)
        good = holds(p, given, at(p, y, values, p->ids[1 - side][i]));
    good = good && holds(p, given, at(p, y, values, y->path)) &&
           holds(p, given, at(p, y, values, y->mask)) &&
           holds(p, given, at(p, y, values, smt_eq(p->ctx, y->bytes, x->bytes)));
    arrfree(given);
    return good;
}

static void same_ids(const footprint *x, const footprint *y, smt_t *values, smt_ctx *ctx)
{
    for (size_t i = 0; i < y->n_own; i++)
        values[i] = i < x->n_own ? x->own[i] : smt_int_const(ctx, 0);
}

/* Is every element that the store hits, of `side`, hit by the other kernel? */
static bool is_covered(proving *p, int side, const ix_access *a, size_t pair)
{
    const summary *other = p->c->side[1 - side].summary;
    footprint x = footprint_of(p, side, a);
    smt_t values[FOOTPRINT_MOST_UNKNOWNS];
    for (size_t i = 0; i < arrlenu(other->accesses); i++) {
        if (!stores_to(p, 1 - side, &other->accesses[i], pair))
            continue;
        footprint y = footprint_of(p, 1 - side, &other->accesses[i]);
        if (footprint_invert(p->ctx, &y, &x, values) && meets(p, side, &x, &y, values))
            return true;
        same_ids(&x, &y, values, p->ctx);
        if (meets(p, side, &x, &y, values))
            return true;
    }
    p->why = "no tile block of the other kernel was found that stores to the same element";
    return false;
}

static bool prove_pair(proving *p, size_t pair)
{
    for (int side = 0; side < 2; side++) {
        const summary *s = p->c->side[side].summary;
        for (size_t i = 0; i < arrlenu(s->accesses); i++)
            if (stores_to(p, side, &s->accesses[i], pair) &&
                !is_covered(p, side, &s->accesses[i], pair))
                return false;
    }
    return true;
}

/* The reason why the stores of both cannot all be compared; NULL: each can. */
static const char *why_none(const comparing *c)
{
    for (int side = 0; side < 2; side++) {
        const summary *s = c->side[side].summary;
        if (s->unsupported)
            return s->unsupported;
        for (size_t i = 0; i < arrlenu(s->accesses); i++) {
            const ix_access *a = &s->accesses[i];
            const char *why = a->writes || a->atomic ? why_not(a) : NULL;
            if (why)
                return why;
            if ((a->writes || a->atomic) && a->arg < 0)
                return "a store uses a pointer that may point into several arrays";
        }
        for (size_t i = 0; i < c->side[side].kernel->contract->n_args; i++) {
            smt_t bytes = s->arg_bytes[i];
            if (c->side[side].writes[i] && (!bytes || !smt_is_const(bytes, NULL)))
                return "it is not stated where an array begins in its memory";
        }
    }
    for (size_t pair = 0; pair < c->match.n_arrays; pair++)
        if (c->match.axes[pair])
            return "axes of an array are permuted";
    return c->side[COMPARE_A].input.prover ? NULL : "there is no solver";
}

/* Is the one launched with the grid that the other is launched with, whatever the numbers? */
bool compare_same_grids(const comparing *c)
{
    const contract *a = c->side[COMPARE_A].kernel->contract,
                   *b = c->side[COMPARE_B].kernel->contract;
    for (int axis = 0; axis < 3; axis++) {
        bool open = contract_is_silent(a) || contract_is_silent(b);
        if (!a->grid[axis] || !b->grid[axis] ? a->grid[axis] != b->grid[axis] && !open
                                             : footprint_import(c, b->grid[axis]) != a->grid[axis])
            return false;
    }
    return true;
}

bool compare_prove_stores(comparing *c, const char **why)
{
    if (c->into->is_one_code)
        return true;
    *why = why_none(c);
    if (*why)
        return false;
    compare_side *a = &c->side[COMPARE_A];
    proving p = {.c = c, .ctx = a->input.ctx, .prover = a->input.prover};
    for (int side = 0; side < 2; side++)
        add_fact(&p, side, take(&p, side, c->side[side].summary->launch));
    add_ranges(&p);
    bool good = true;
    for (size_t pair = 0; pair < c->match.n_arrays && good; pair++)
        good = prove_pair(&p, pair);
    *why = p.why;
    arrfree(p.launch);
    arrfree(p.ids[0]);
    arrfree(p.ids[1]);
    return good;
}

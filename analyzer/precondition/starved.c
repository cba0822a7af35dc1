/* Undefined behaviour that no launch of several tile blocks and iterations avoids.
 *
 * An op that may be undefined becomes a launch precondition: "the op is defined". Such a
 * precondition may leave out launches, never tile blocks or iterations of those that remain. So
 * the kernel is looked at in a few *points*: tile block (0, 0, 0) and on each axis the block with
 * id 1, each in the first iteration of all loops and in the second of each. A point is *dead* for
 * an access when launches reach the access there, and in each of them the op is undefined in the
 * same block. Where one point is dead and another one is not, the precondition would take from the
 * kernel all launches of several blocks, or of several iterations: then it is none, and the
 * undefined behaviour is an error. That the block itself runs counts as an access that every launch
 * reaches.
 *
 * All of this only rejects preconditions: a point that is taken for dead by mistake makes a verdict
 * less certain, never wrong. An error is reported with a replayed witness alone. */
#include "precondition/starved.h"

#include "precondition/life.h"
#include "question/ask.h"
#include "question/checker.h"

#include "base/ds.h"

#include <string.h>

/* ---- Section: which op, under which conditions ---- */

undefined_op require_undefined_hazard(const ix_hazard *h)
{
    undefined_op u = {.op = h->op,
                      .path = h->path,
                      .facts = h->facts,
                      .assumed = h->assumed,
                      .safe = h->safe,
                      .n_loops = h->n_loops,
                      .loops = h->loops,
                      .rank = h->rank,
                      .tile = h->tile};
    return u;
}

undefined_op require_undefined_access(const ix_access *a, smt_t safe, bool index_space)
{
    undefined_op u = {.op = a->op,
                      .index_space = index_space,
                      .path = a->path,
                      .facts = a->facts,
                      .assumed = a->assumed,
                      .mask = index_space ? NULL : a->mask,
                      .safe = safe,
                      .n_loops = a->n_loops,
                      .loops = a->loops,
                      .rank = a->rank,
                      .tile = a->tile};
    return u;
}

static smt_t reached(checker *k, const undefined_op *u)
{
    smt_t when = smt_and(k->ctx, u->path, smt_and(k->ctx, u->facts, u->assumed));
    return u->mask ? smt_and(k->ctx, when, u->mask) : when;
}

smt_t require_failure(checker *k, const undefined_op *u)
{
    return smt_and(k->ctx, reached(k, u), smt_not(k->ctx, u->safe));
}

/* ---- Section: points ---- */

enum { NO_AXIS = -1, ALL_AXES = 3, N_BLOCKS = ALL_AXES - NO_AXIS + 1 };

typedef struct point {     /* of one tile block, in one iteration of each loop */
    int axis;              /* the block with id 1 on this axis, on all or on none of them */
    const ix_loop *second; /* in its second iteration, all others are in their first; or NULL */
} point;

static bool has_several(const checker *k, int axis)
{
    return !smt_is_const(k->s->block_id[axis], NULL);
}

/* Are there such blocks, other than those of another point? */
static bool is_point(const checker *k, int axis)
{
    int n = has_several(k, 0) + has_several(k, 1) + has_several(k, 2);
    return axis == NO_AXIS || (axis == ALL_AXES ? n > 1 : has_several(k, axis));
}

/* The term in the point's block. */
static smt_t in_block(checker *k, const point *p, smt_t term)
{
    smt_t from[3], to[3], within;
    size_t n = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (!has_several(k, axis))
            continue;
        from[n] = k->s->block_id[axis];
        to[n++] = smt_int_const(k->ctx, axis == p->axis || p->axis == ALL_AXES);
    }
    smt_t there = smt_instantiate(k->ctx, term, n, from, to, &within);
    return smt_and(k->ctx, within, there);
}

static smt_t launch_has_block(checker *k, const point *p)
{
    smt_t has = smt_bool_const(k->ctx, true), one = smt_int_const(k->ctx, 1);
    for (int axis = 0; axis < 3; axis++)
        if (axis == p->axis || (p->axis == ALL_AXES && has_several(k, axis)))
            has = smt_and(k->ctx, has, smt_lt(k->ctx, one, k->s->grid[axis]));
    return has;
}

/* An event at the point: `path` with the counters of the access's loops as the point has them. */
static smt_t event_at(checker *k, const point *p, const ix_access *a)
{
    smt_t from[IX_MAX_LOOPS], to[IX_MAX_LOOPS], within;
    size_t n = 0;
    if (!a)
        return smt_bool_const(k->ctx, true);
    for (size_t i = 0; i < a->n_loops; i++) {
        from[n] = a->loops[i]->counter;
        to[n++] = smt_int_const(k->ctx, a->loops[i] == p->second);
    }
    smt_t there = smt_instantiate(k->ctx, a->path, n, from, to, &within);
    return in_block(k, p, smt_and(k->ctx, within, there));
}

/* ---- Section: executions of the op in a block that reaches the point ---- */

enum { FIRST, SECOND, THIRD, LAST, N_ROUNDS };

/* The iteration `round` of the loop; NULL: it is not known which that is. */
static smt_t iteration(checker *k, const ix_loop *loop, int round)
{
    if (round != LAST)
        return smt_int_const(k->ctx, round);
    return loop->op->code == IR_OP_FOR ? loop->last : NULL; /* of an open loop it is a guess */
}

/* The term in iteration rounds[i] of loop i, and in the first or last element of the tile. False,
 * where that is no iteration. Inner loops go first: where they end may depend on outer counters. */
static smt_t in_rounds(checker *k, const undefined_op *u, const int *rounds, bool last_element,
                       smt_t term)
{
    smt_ctx *ctx = k->ctx;
    smt_t within;
    for (size_t i = u->n_loops; i-- > 0;) {
        smt_t counter = u->loops[i]->counter, value = iteration(k, u->loops[i], rounds[i]);
        if (!value)
            return smt_bool_const(ctx, false);
        term = smt_instantiate(ctx, term, 1, &counter, &value, &within);
        term = smt_and(ctx, within, term);
    }
    for (int d = 0; d < u->rank; d++) {
        if (u->tile[d] == 1)
            continue;
        smt_t coordinate = ix_coordinate(ctx, d, u->tile[d]);
        smt_t value = smt_int_const(ctx, last_element ? u->tile[d] - 1 : 0);
        term = smt_instantiate(ctx, term, 1, &coordinate, &value, &within);
        term = smt_and(ctx, within, term);
    }
    return term;
}

typedef struct executions { /* the op in some iterations of a block that reaches a point */
    smt_t defined;          /* where one of them happens, nothing before it was undefined */
    smt_t safe;             /* the op itself is defined */
} executions;

static void add_execution(checker *k, const point *p, const undefined_op *u, const int *rounds,
                          executions *e)
{
    smt_ctx *ctx = k->ctx;
    for (int last = 0; last < 2; last++) {
        smt_t path = u->mask ? smt_and(ctx, u->path, u->mask) : u->path;
        smt_t before = smt_implies(ctx, path, smt_and(ctx, u->facts, u->assumed));
        /* `in_rounds` is false where there is no such iteration, so the negation is rewritten. */
        smt_t undefined = smt_and(ctx, path, smt_not(ctx, u->safe));
        smt_t broken = in_rounds(k, u, rounds, last, smt_not(ctx, before));
        smt_t fails = in_rounds(k, u, rounds, last, undefined);
        e->defined = smt_and(ctx, e->defined, smt_not(ctx, in_block(k, p, broken)));
        e->safe = smt_and(ctx, e->safe, smt_not(ctx, in_block(k, p, fails)));
    }
}

/* All loops in one round; each loop by itself in another than the first; the point's. */
static executions executions_at(checker *k, const point *p, const undefined_op *u)
{
    executions e = {smt_bool_const(k->ctx, true), smt_bool_const(k->ctx, true)};
    int rounds[IX_MAX_LOOPS] = {FIRST};
    for (int round = 0; round < (u->n_loops ? N_ROUNDS : 1); round++) {
        for (size_t i = 0; i < u->n_loops; i++)
            rounds[i] = round;
        add_execution(k, p, u, rounds, &e);
    }
    for (size_t one = 0; u->n_loops > 1 && one < u->n_loops; one++)
        for (int round = SECOND; round < N_ROUNDS; round++) {
            for (size_t i = 0; i < u->n_loops; i++)
                rounds[i] = i == one ? round : FIRST;
            add_execution(k, p, u, rounds, &e);
        }
    return e;
}

/* ---- Section: dead points ---- */

typedef enum life {
    LIFE_NONE, /* no launch gets there */
    LIFE_DEAD, /* launches get there, and none without the op being undefined */
    LIFE_ALIVE,
} life;

/* Steps to find out whether an event can happen. Where only an example is looked for that breaks
 * another precondition (any_sign), a precondition too many costs no more than that example. */
enum { LIFE_STEPS = 250 * 1000, LIFE_STEPS_OF_EXAMPLE = 25 * 1000 };

static bool never_happens(checker *k, query conjuncts, const char *name)
{
    smt_steps most = k->undefined.any_sign ? LIFE_STEPS_OF_EXAMPLE : LIFE_STEPS;
    return ask_verdict(k, conjuncts, name, most) == SMT_UNSAT;
}

static life life_at(checker *k, const point *p, const ix_access *a, smt_t before, smt_t safe)
{
    smt_t event = event_at(k, p, a);
    query reached = query_with(k, query_of_launch(k), launch_has_block(k, p));
    query_add(k, &reached, event);
    query_add(k, &reached, before);
    if (smt_is_false(event))
        return LIFE_NONE;
    if (!never_happens(k, query_with(k, reached, safe), "alive"))
        return LIFE_ALIVE;
    return never_happens(k, reached, "reached") ? LIFE_NONE : LIFE_DEAD;
}

typedef struct restriction {   /* what a precondition leaves of the launches at a point */
    const undefined_op *op;    /* this op is defined */
    smt_t fact;                /* if `op` is NULL, this holds of the launch */
    executions made[N_BLOCKS]; /* by the point's block, once some access has asked */
    bool is_made[N_BLOCKS];
} restriction;

/* The executions of a point are kept: all accesses ask about the same few blocks, and writing the
 * executions of one takes long. */
static executions left_at(checker *k, const point *p, restriction *r)
{
    if (!r->op)
        return (executions){smt_bool_const(k->ctx, true), r->fact};
    int block = p->axis - NO_AXIS;
    if (!r->is_made[block])
        r->made[block] = executions_at(k, p, r->op);
    r->is_made[block] = true;
    return r->made[block];
}

/* Is the access dead at the point, by its own second iteration or its block? */
static life life_with(checker *k, const point *p, const ix_access *a, restriction *r)
{
    executions e = left_at(k, p, r);
    return smt_is_true(e.safe) ? LIFE_ALIVE : life_at(k, p, a, e.defined, e.safe);
}

/* Is some point of the access dead, while another one is not? If an access is in a branch that only
 * launches take which the precondition excludes, all of its points are dead, as they should be. */
static bool starves_access(checker *k, const ix_access *a, restriction *r)
{
    bool dead = false, alive = false;
    size_t n_loops = a ? a->n_loops : 0;
    for (int axis = NO_AXIS; axis <= ALL_AXES; axis++) {
        if (!is_point(k, axis))
            continue;
        for (size_t i = 0; i <= n_loops && !(dead && alive); i++) {
            const point p = {axis, i ? a->loops[i - 1] : NULL};
            life there = life_with(k, &p, a, r);
            dead |= there == LIFE_DEAD;
            alive |= there == LIFE_ALIVE || (dead && !a); /* every launch has that block */
        }
    }
    return dead && alive;
}

/* Accesses of one path in the same loops have the same points. A fact matters to those alone whose
 * path depends on its quantities, perhaps by way of other facts of the launch. */
static bool starves_some(checker *k, restriction *r)
{
    smt_t *seen = NULL;
    bool any = false;
    for (size_t i = 0; i < arrlenu(k->s->accesses) && !any; i++) {
        const ix_access *a = &k->s->accesses[i];
        bool known = false;
        for (size_t j = 0; j < arrlenu(seen) && !known; j++)
            known = seen[j] == a->path;
        if (known)
            continue;
        arrput(seen, a->path);
        any = (!r->fact || require_bears_on(k, r->fact, a->path)) && starves_access(k, a, r);
    }
    arrfree(seen);
    return any;
}

bool require_starves(checker *k, const undefined_op *u)
{
    restriction r = {.op = u};
    return starves_access(k, NULL, &r) || starves_some(k, &r);
}

bool require_fact_starves(checker *k, smt_t fact)
{
    restriction r = {.fact = fact};
    return starves_some(k, &r);
}

/* ---- Section: what it depends on ---- */

typedef struct memory_search {
    const checker *k;
    bool found;
} memory_search;

static void look_for_memory(void *user, smt_t term)
{
    memory_search *search = user;
    const summary *s = search->k->s;
    if (term->kind != SMT_APP && term->kind != SMT_BAPP)
        return;
    bool at_launch = false;
    for (size_t i = 0; i < arrlenu(s->content_names); i++)
        at_launch |= strcmp(s->content_names[i], term->name) == 0;
    search->found |= !at_launch;
}

bool require_undefined_by_memory(const checker *k, smt_t term)
{
    memory_search search = {.k = k};
    smt_visit(k->ctx, term, look_for_memory, &search);
    return search.found;
}

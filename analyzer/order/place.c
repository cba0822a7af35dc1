/* Guesses the block, the iterations and the element of an event that belongs to another event, as
 * terms over that other event. A caller that uses a guess has to show that there is such an event.
 */
#include "order/place.h"

#include "order/event.h"
#include "question/checker.h"
#include "question/layout.h"

#include "base/ds.h"

enum { MOST_CANDIDATES = 6, MOST_VARIABLES = 3 + IX_MAX_LOOPS, MOST_TRIED = 256 };

typedef struct place_search {
    checker *k;
    const order_event *w; /* copy 0's own event */
    bool across_blocks;   /* it may be another block's */
} place_search;

/* ---- Section: one execution of z ---- */

static size_t variables_of(const checker *k, const ix_access *z, const order_place *at, smt_t *from,
                           smt_t *to)
{
    size_t n = 0;
    for (int axis = 0; axis < 3; axis++)
        if (k->s->block_id[axis]->kind == SMT_VAR) {
            from[n] = k->s->block_id[axis];
            to[n++] = at->block[axis];
        }
    for (size_t d = 0; d < z->n_loops; d++) {
        from[n] = z->loops[d]->counter;
        to[n++] = at->counters[d];
    }
    for (int d = 0; d < z->rank; d++) {
        smt_t lane = ix_coordinate(k->ctx, d, z->tile[d]);
        if (lane->kind != SMT_VAR)
            continue;
        from[n] = lane;
        to[n++] = at->lane[d];
    }
    return n;
}

/* The term as that execution has it; *within: such a block, iteration and element exist. */
smt_t order_at_place(checker *k, const ix_access *z, const order_place *at, smt_t term,
                     smt_t *within)
{
    smt_t from[MOST_VARIABLES + IR_MAX_RANK], to[MOST_VARIABLES + IR_MAX_RANK];
    size_t n = variables_of(k, z, at, from, to);
    return smt_instantiate(k->ctx, term, n, from, to, within);
}

order_event order_event_at(const ix_access *z, const order_place *at)
{
    order_event e = {.access = z, .copy = 0};
    for (int axis = 0; axis < 3; axis++)
        e.block[axis] = at->block[axis];
    for (size_t d = 0; d < z->n_loops; d++)
        e.counters[d] = at->counters[d];
    for (int d = 0; d < z->rank; d++)
        e.coordinate[d] = at->lane[d];
    return e;
}

/* Solves the location for the one variable that is NULL, if it enters the address linearly. */
static bool solve(checker *k, const order_event *w, const ix_access *z, order_place *at)
{
    smt_ctx *ctx = k->ctx;
    smt_t *missing = NULL, within, ends[2];
    for (int axis = 0; axis < 3; axis++)
        missing = at->block[axis] ? missing : &at->block[axis];
    for (size_t d = 0; d < z->n_loops; d++)
        missing = at->counters[d] ? missing : &at->counters[d];
    for (int d = 0; d < z->rank; d++)
        missing = at->lane[d] ? missing : &at->lane[d];
    if (!missing)
        return true;
    for (int i = 0; i < 2; i++) {
        *missing = smt_int_const(ctx, i);
        ends[i] = order_at_place(k, z, at, z->bytes, &within);
    }
    smt_int step;
    if (!smt_is_const(smt_sub(ctx, ends[1], ends[0]), &step) || step <= 0)
        return false;
    smt_t there = order_term(k, w, w->access->bytes);
    *missing = smt_div(ctx, smt_sub(ctx, there, ends[0]), smt_int_const(ctx, step));
    return true;
}

/* ---- Section: guesses where it is ---- */

typedef struct candidates {
    size_t n;
    smt_t terms[MOST_CANDIDATES]; /* NULL: what the location decides */
} candidates;

static void add(candidates *c, smt_t term)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->terms[i] == term)
            return;
    if (c->n < MOST_CANDIDATES)
        c->terms[c->n++] = term;
}

typedef struct id_search { /* for t in facts of the form `id = t` */
    checker *k;
    smt_t id;
    candidates *found;
} id_search;

static void look_for_id(void *user, smt_t term)
{
    id_search *s = user;
    smt_ctx *ctx = s->k->ctx;
    if (term->kind != SMT_EQ)
        return;
    smt_t sum = term->args[0], zero = smt_int_const(ctx, 0);
    if (sum == s->id) {
        add(s->found, zero);
        return;
    }
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args; i++) {
        if (sum->args[i] != s->id || (sum->coefs[i] != 1 && sum->coefs[i] != -1))
            continue;
        smt_t rest = smt_sub(ctx, sum, smt_scale(ctx, s->id, sum->coefs[i]));
        if (term_is_launch_constant(s->k, rest))
            add(s->found, smt_scale(ctx, rest, -sum->coefs[i]));
    }
}

static candidates blocks_for(const place_search *q, const ix_access *z, int axis)
{
    checker *k = q->k;
    candidates c = {0};
    smt_t id = k->s->block_id[axis];
    if (id->kind != SMT_VAR) {
        add(&c, id);
        return c;
    }
    add(&c, q->w->block[axis]);
    if (!q->across_blocks)
        return c;
    id_search search = {k, id, &c};
    smt_visit(k->ctx, z->path, look_for_id, &search);
    add(&c, smt_int_const(k->ctx, 0));
    add(&c, NULL);
    add(&c, smt_int_const(k->ctx, 1));
    add(&c, smt_sub(k->ctx, k->s->grid[axis], smt_int_const(k->ctx, 1)));
    return c;
}

/* There is no candidate: the loop may be left before, so that no iteration is known to be executed.
 */
static candidates iterations_for(const place_search *q, const ix_access *z, size_t depth)
{
    candidates c = {0};
    const ix_loop *loop = z->loops[depth];
    bool shared = depth < q->w->access->n_loops;
    for (size_t d = 0; d <= depth && shared; d++)
        shared = q->w->access->loops[d]->op == z->loops[d]->op;
    if (shared)
        add(&c, q->w->counters[depth]);
    if (loop->op->code != IR_OP_FOR)
        return c;
    add(&c, NULL);
    add(&c, smt_int_const(q->k->ctx, 0));
    return c;
}

static candidates lanes_for(const place_search *q, const ix_access *z, int d)
{
    candidates c = {0};
    smt_t zero = smt_int_const(q->k->ctx, 0);
    if (z->tile[d] == 1) {
        add(&c, zero);
        return c;
    }
    if (q->w->access->rank == z->rank && q->w->access->tile[d] == z->tile[d])
        add(&c, q->w->coordinate[d]);
    add(&c, NULL);
    add(&c, zero);
    return c;
}

/* Goes to the next combination with at most one term that is NULL; false behind the last one. */
static bool next(const candidates *all, size_t n, size_t *at)
{
    for (size_t i = 0; i < n; i++) {
        if (++at[i] < all[i].n)
            return true;
        at[i] = 0;
    }
    return false;
}

size_t order_places(checker *k, const order_event *w, const ix_access *z, bool across_blocks,
                    order_place *places)
{
    const place_search search = {k, w, across_blocks}, *q = &search;
    candidates all[MOST_VARIABLES + IR_MAX_RANK];
    size_t at[MOST_VARIABLES + IR_MAX_RANK] = {0}, n = 0, found = 0, tried = 0;
    for (int axis = 0; axis < 3; axis++)
        all[n++] = blocks_for(q, z, axis);
    for (size_t d = 0; d < z->n_loops; d++)
        all[n++] = iterations_for(q, z, d);
    for (int d = 0; d < z->rank; d++)
        all[n++] = lanes_for(q, z, d);
    for (size_t i = 0; i < n; i++)
        if (all[i].n == 0)
            return 0;
    do {
        order_place p = {0};
        size_t open = 0;
        for (size_t i = 0; i < n; i++) {
            smt_t term = all[i].terms[at[i]];
            open += !term;
            if (i < 3)
                p.block[i] = term;
            else if (i < 3 + z->n_loops)
                p.counters[i - 3] = term;
            else
                p.lane[i - 3 - z->n_loops] = term;
        }
        if (open <= 1 && solve(k, w, z, &p))
            places[found++] = p;
    } while (found < ORDER_MOST_PLACES && ++tried < MOST_TRIED && next(all, n, at));
    return found;
}

/* Events as questions speak of them: who, when, which element, what value. */
#include "order/event.h"

#include "order/state.h"
#include "question/ask.h"
#include "question/basis.h"
#include "question/checker.h"
#include "question/contents.h"
#include "question/layout.h"
#include "question/two_events.h"

#include "base/ds.h"

#include <string.h>

order_event order_event_of(checker *k, const ix_access *access, int copy)
{
    order_event e = {.access = access, .copy = copy};
    for (int axis = 0; axis < 3; axis++)
        e.block[axis] = copy_term(k, k->s->block_id[axis], COPY_OTHER_BLOCK, copy);
    for (size_t d = 0; d < access->n_loops; d++)
        e.counters[d] = copy_term(k, access->loops[d]->counter, COPY_OTHER_BLOCK, copy);
    for (int d = 0; d < access->rank; d++)
        e.coordinate[d] =
            copy_term(k, ix_coordinate(k->ctx, d, access->tile[d]), COPY_OTHER_BLOCK, copy);
    return e;
}

/* Arguments of a value: block ids, counters, coordinates. */
order_event order_event_behind(const ix_access *read, smt_t app)
{
    order_event e = {.access = read, .app = app};
    for (int axis = 0; axis < 3; axis++)
        e.block[axis] = app->args[axis];
    for (size_t d = 0; d < read->n_loops; d++)
        e.counters[d] = app->args[3 + d];
    for (int d = 0; d < read->rank; d++)
        e.coordinate[d] = app->args[3 + read->n_loops + (size_t)d];
    return e;
}

order_event order_own_event(const ix_access *read, smt_t app, int copy)
{
    order_event e = order_event_behind(read, app);
    e.copy = copy;
    e.own = true;
    return e;
}

order_event order_event_of_value(checker *k, const ix_access *read, smt_t app, int copy)
{
    return order_own_event(read, copy_term(k, app, COPY_OTHER_BLOCK, copy), copy);
}

/* Is the event one of the copy's block? */
static smt_t is_own(checker *k, const order_event *e)
{
    smt_t own = smt_bool_const(k->ctx, true);
    for (int axis = 0; axis < 3 && e->own; axis++) {
        smt_t id = copy_term(k, k->s->block_id[axis], COPY_OTHER_BLOCK, e->copy);
        own = smt_and(k->ctx, own, smt_eq(k->ctx, e->block[axis], id));
    }
    return own;
}

/* The term with the arguments of the event's value for those of the op's; where they are no block
 * id, iteration or coordinate that the op has, or not the own block's, *within does not hold and
 * there is no such event. */
static smt_t at_value(checker *k, const order_event *e, smt_t term, smt_t *within)
{
    smt_t from[3 + IX_MAX_LOOPS + IR_MAX_RANK], to[3 + IX_MAX_LOOPS + IR_MAX_RANK];
    smt_t own = e->access->got;
    size_t n = 0;
    TR_ASSERT(own->n_args == e->app->n_args && own->n_args <= TR_COUNT(from));
    for (uint32_t i = 0; i < own->n_args; i++) {
        if (own->args[i]->kind != SMT_VAR)
            continue;
        from[n] = own->args[i];
        to[n++] = e->app->args[i];
    }
    smt_t here = smt_instantiate(k->ctx, term, n, from, to, within);
    *within = smt_and(k->ctx, *within, is_own(k, e));
    return here;
}

smt_t order_term(checker *k, const order_event *e, smt_t term)
{
    if (!e->app)
        return copy_term(k, term, COPY_OTHER_BLOCK, e->copy);
    smt_t within, here = at_value(k, e, term, &within);
    return smt_is_bool(here) ? smt_and(k->ctx, within, here) : here;
}

smt_t order_exists(checker *k, const order_event *e)
{
    smt_t within = smt_bool_const(k->ctx, true);
    if (e->app)
        at_value(k, e, within, &within);
    return within;
}

smt_t order_happens(checker *k, const order_event *e)
{
    smt_t comes = smt_and(k->ctx, e->access->path, e->access->mask);
    return smt_and(k->ctx, order_exists(k, e), order_term(k, e, comes));
}

void order_add_event(checker *k, query *conjuncts, const order_event *e)
{
    query_add(k, conjuncts, order_term(k, e, k->known.launch));
    query_add(k, conjuncts, order_term(k, e, e->access->path));
    query_add(k, conjuncts, order_term(k, e, e->access->facts));
    query_add(k, conjuncts, order_term(k, e, e->access->mask));
}

query order_of_event(checker *k, const order_event *e)
{
    query happens = {0};
    order_add_event(k, &happens, e);
    return happens;
}

query order_of_events(checker *k, const order_event *x, const order_event *y)
{
    query happen = order_of_event(k, x);
    order_add_event(k, &happen, y);
    return happen;
}

query order_premises_with(checker *k, query premises, const order_event *e,
                          const order_event *there)
{
    order_add_event(k, &premises, e);
    return query_with(k, premises, order_overlap(k, e, there));
}

smt_t order_same_block(checker *k, const order_event *x, const order_event *y)
{
    smt_t same = smt_bool_const(k->ctx, true);
    for (int axis = 0; axis < 3; axis++)
        same = smt_and(k->ctx, same, smt_eq(k->ctx, x->block[axis], y->block[axis]));
    return same;
}

smt_t order_overlap(checker *k, const order_event *x, const order_event *y)
{
    smt_ctx *ctx = k->ctx;
    const ix_access *a = x->access, *b = y->access;
    smt_t exist = smt_and(ctx, order_exists(k, x), order_exists(k, y));
    if (a->unknown || b->unknown)
        return smt_bool_const(ctx, true);
    if (a->tensor && b->tensor && layout_is_shared(k, a->tensor, b->tensor)) {
        smt_t same = smt_bool_const(ctx, true);
        for (int d = 0; d < a->tensor->rank; d++)
            same = smt_and(ctx, same,
                           smt_eq(ctx, order_term(k, x, a->coordinate[d]),
                                  order_term(k, y, b->coordinate[d])));
        return smt_implies(ctx, exist, same);
    }
    smt_t overlap = copy_bytes_overlap(k, order_term(k, x, a->bytes), a->width,
                                       order_term(k, y, b->bytes), b->width);
    return smt_implies(ctx, exist, overlap);
}

smt_t order_exactly(checker *k, const order_event *x, const order_event *y)
{
    const ix_access *a = x->access, *b = y->access;
    smt_t exist = smt_and(k->ctx, order_exists(k, x), order_exists(k, y));
    if (a->unknown || b->unknown || a->width != b->width)
        return smt_bool_const(k->ctx, false);
    if (a->tensor && b->tensor && layout_is_shared(k, a->tensor, b->tensor))
        return smt_and(k->ctx, exist, order_overlap(k, x, y));
    return smt_and(k->ctx, exist,
                   smt_eq(k->ctx, order_term(k, x, a->bytes), order_term(k, y, b->bytes)));
}

smt_t order_same_event(checker *k, const order_event *x, const order_event *y)
{
    smt_ctx *ctx = k->ctx;
    if (x->access != y->access)
        return smt_bool_const(ctx, false);
    smt_t same = order_same_block(k, x, y);
    for (size_t d = 0; d < x->access->n_loops; d++)
        same = smt_and(ctx, same, smt_eq(ctx, x->counters[d], y->counters[d]));
    for (int d = 0; d < x->access->rank; d++)
        same = smt_and(ctx, same, smt_eq(ctx, x->coordinate[d], y->coordinate[d]));
    return same;
}

/* ---- Section: token order ---- */

static smt_t step_term(checker *k, const order_event *first, const order_event *second, size_t d,
                       uint8_t steps)
{
    const ix_loop *loop = first->access->loops[d];
    const ix_access *later = second->access;
    bool shared = d < later->n_loops && later->loops[d]->op == loop->op;
    return copy_step(k->ctx, steps, first->counters[d],
                     loop->last ? order_term(k, first, loop->last) : NULL,
                     shared ? second->counters[d] : NULL);
}

smt_t order_token_before(checker *k, const order_event *first, const order_event *second)
{
    smt_ctx *ctx = k->ctx;
    model_order order = model_token_order(k->tokens, first->access->op, second->access->op);
    smt_t any = smt_bool_const(ctx, false);
    for (size_t c = 0; c < order.n_cases; c++) {
        smt_t all = smt_bool_const(ctx, true);
        for (size_t d = 0; d < first->access->n_loops && d < order.n_loops; d++)
            all = smt_and(ctx, all, step_term(k, first, second, d, order.cases[c].steps[d]));
        any = smt_or(ctx, any, all);
    }
    return smt_and(ctx, any, smt_and(ctx, order_exists(k, first), order_exists(k, second)));
}

/* ---- Section: values ---- */

static bool is_in_range(smt_t term, int width)
{
    smt_int low, high, half = (smt_int)1 << (8 * width - 1);
    smt_bounds(term, &low, &high);
    return low >= -half && high < half;
}

/* Equal as numbers of that width: a term may hold an unsigned number as it is, or a sum that has
 * not been wrapped. */
static smt_t equal_wrapping(checker *k, smt_t value, smt_t term, int width)
{
    smt_ctx *ctx = k->ctx;
    smt_int low, high, half = (smt_int)1 << (8 * width - 1);
    smt_bounds(term, &low, &high);
    smt_t same = smt_eq(ctx, value, term);
    if (is_in_range(term, width))
        return same;
    if (low < -3 * half || high >= 3 * half)
        return smt_bool_const(ctx, true);
    smt_t round = smt_int_const(ctx, 2 * half);
    same = smt_or(ctx, same, smt_eq(ctx, value, smt_sub(ctx, term, round)));
    return smt_or(ctx, same, smt_eq(ctx, value, smt_add(ctx, term, round)));
}

smt_t order_written(checker *k, const order_event *write, smt_t value)
{
    smt_ctx *ctx = k->ctx;
    const ix_access *w = write->access;
    smt_t put = w->change == IX_CHANGE_UNKNOWN ? NULL : order_term(k, write, w->put);
    smt_t got = w->got ? order_term(k, write, w->got) : NULL;
    smt_t anything = smt_bool_const(ctx, true);
    switch (w->change) {
    case IX_CHANGE_PUT:
        return equal_wrapping(k, value, put, w->width);
    case IX_CHANGE_SWAP: {
        if (!got || !w->compare)
            return anything;
        smt_t compare = order_term(k, write, w->compare);
        smt_t match = equal_wrapping(k, got, compare, w->width);
        bool known = is_in_range(compare, w->width); /* so that a mismatch is one */
        smt_t fails = known ? smt_not(ctx, match) : anything;
        return smt_or(ctx, smt_and(ctx, match, equal_wrapping(k, value, put, w->width)),
                      smt_and(ctx, fails, smt_eq(ctx, value, got)));
    }
    case IX_CHANGE_ADD:
        return got ? equal_wrapping(k, value, smt_add(ctx, got, put), w->width) : anything;
    case IX_CHANGE_OR: {
        smt_int bits;
        if (!got || !smt_is_const(put, &bits) || bits < 0)
            return anything;
        if (bits == 0)
            return smt_eq(ctx, value, got);
        /* The value is not below the number that was there, nor further above it than all of the
         * bits; and it is not 0. */
        smt_t among =
            smt_and(ctx, smt_le(ctx, got, value), smt_le(ctx, value, smt_add(ctx, got, put)));
        return smt_and(ctx, among, smt_ne(ctx, value, smt_int_const(ctx, 0)));
    }
    case IX_CHANGE_MAX:
        return got ? equal_wrapping(k, value, smt_max(ctx, got, put), w->width) : anything;
    default:
        return anything;
    }
}

smt_t order_leaves(checker *k, const order_event *write)
{
    smt_ctx *ctx = k->ctx;
    const ix_access *w = write->access;
    if (w->op->code != IR_OP_ATOMIC_CAS_TKO)
        return smt_bool_const(ctx, w->writes);
    bool known = w->change == IX_CHANGE_SWAP && w->got && w->compare;
    smt_t compare = known ? order_term(k, write, w->compare) : NULL;
    if (!compare || !is_in_range(compare, w->width))
        return smt_bool_const(ctx, false);
    return smt_eq(ctx, order_term(k, write, w->got), compare);
}

static int element_width(const checker *k, size_t arg)
{
    const ir_type *elem = k->kernel->body->args[arg]->type->elem->elem;
    return ir_type_is_int(elem) ? ir_type_bytes(elem) : 0;
}

/* The pointer argument whose contract bounds the contents of the access's buffer, of elements as
 * wide as the access where there is one; NULL: none does. */
static const contract_arg *contents_of(const checker *k, const ix_access *read)
{
    if (read->allocation < 0 || k->s->allocations[read->allocation].space != IX_ARGUMENT)
        return NULL;
    const contract_arg *found = NULL;
    for (size_t i = 0; i < k->contract->n_args; i++) {
        const contract_arg *arg = &k->contract->args[i];
        if (arg->kind != CONTRACT_POINTER ||
            (!arg->contents.min && !arg->contents.max && !arg->contents.values) ||
            strcmp(contract_buffer_of(arg), k->s->allocations[read->allocation].name) != 0 ||
            element_width(k, i) == 0)
            continue;
        if (element_width(k, i) == read->width)
            return arg;
        found = found ? found : arg;
    }
    return found;
}

static bool are_all_zero(const contract_contents *contents)
{
    smt_int low, high;
    return contents->min && contents->max && smt_is_const(contents->min, &low) &&
           smt_is_const(contents->max, &high) && low == 0 && high == 0;
}

/* Returns what the contract says of a word that begins so many bytes behind the argument. It speaks
 * of whole elements: a word that lies over several of them, or over parts, is 0 where all of them
 * are, and any number elsewhere. */
static smt_t stated_at(checker *k, const contract_arg *arg, int word, smt_t bytes, smt_t value)
{
    smt_ctx *ctx = k->ctx;
    int elem = element_width(k, (size_t)(arg - k->contract->args));
    smt_t width = smt_int_const(ctx, elem), zero = smt_int_const(ctx, 0);
    smt_t whole = smt_eq(ctx, smt_mod(ctx, bytes, width), zero);
    if (elem != word)
        whole = smt_bool_const(ctx, false);
    if (!smt_is_true(whole) && are_all_zero(&arg->contents)) {
        smt_t inside = smt_le(ctx, zero, bytes);
        if (arg->elements) {
            smt_t last =
                smt_sub(ctx, smt_scale(ctx, arg->elements, elem), smt_int_const(ctx, word));
            inside = smt_and(ctx, inside, smt_le(ctx, bytes, last));
        }
        return smt_implies(ctx, inside, smt_eq(ctx, value, zero));
    }
    if (smt_is_false(whole))
        return smt_bool_const(ctx, true);
    smt_t index = smt_div(ctx, bytes, width), in = smt_and(ctx, whole, smt_le(ctx, zero, index));
    if (arg->elements)
        in = smt_and(ctx, in, smt_lt(ctx, index, arg->elements));
    return smt_implies(
        ctx, in, contents_between(k, value, 8 * word, index, arg->contents.min, arg->contents.max));
}

smt_t order_initial(checker *k, const order_event *read, smt_t value, bool *assumed)
{
    smt_ctx *ctx = k->ctx;
    const contract_arg *arg = contents_of(k, read->access);
    smt_t zero = smt_int_const(ctx, 0);
    int allocation = read->access->allocation;
    if (read->access->arg < 0 && k->s->allocations[allocation].first_arg < 0 &&
        !order_global_is_cleared(k, allocation))
        return smt_bool_const(ctx, true); /* a global that earlier launches may have changed */
    if (!arg) {
        *assumed = true;
        return smt_eq(ctx, value, zero);
    }
    smt_t start = k->s->arg_bytes[arg - k->contract->args];
    smt_t bytes = smt_sub(ctx, order_term(k, read, read->access->bytes), start);
    return stated_at(k, arg, read->access->width, bytes, value);
}

smt_t order_held(smt_ctx *ctx, unsigned which)
{
    return smt_copy(ctx, smt_private_var(ctx, "held@", SMT_NO_LOW, SMT_NO_HIGH), which);
}

void order_rests_on_cleared(checker *k, const ix_access *read)
{
    int arg = read->arg >= 0 ? read->arg : k->s->allocations[read->allocation].first_arg;
    if (arg < 0)
        basis_add(k, BASIS_CLEARED_GLOBAL, read->allocation);
    else
        basis_add(k, BASIS_CLEARED_ARG, arg);
}

/* ---- Section: who can synchronise ---- */

bool order_may_share(const ix_access *x, const ix_access *y)
{
    return x->allocation < 0 || y->allocation < 0 || x->allocation == y->allocation;
}

bool order_strong(const ix_access *x, const ix_access *y)
{
    return model_mutual_scope(x->ordering, x->scope, y->ordering, y->scope, false,
                              x->width == y->width);
}

bool order_leaves_value(const ix_access *w)
{
    smt_int by;
    if (w->change == IX_CHANGE_SWAP)
        return w->put == w->compare; /* whether it fails or not */
    return (w->change == IX_CHANGE_ADD || w->change == IX_CHANGE_OR) && smt_is_const(w->put, &by) &&
           by == 0;
}

bool order_releases(const ix_access *w)
{
    return model_would_release(w->op, w->ordering);
}

bool order_acquires(const ix_access *read)
{
    return model_would_acquire(read->op, read->ordering);
}

smt_t order_before_release(checker *k, const order_event *a, const order_event *release)
{
    return smt_or(k->ctx, order_token_before(k, a, release), order_same_event(k, a, release));
}

smt_t order_after_acquire(checker *k, const order_event *acquire, const order_event *b)
{
    return smt_or(k->ctx, order_token_before(k, acquire, b), order_same_event(k, acquire, b));
}

bool order_continues(const checker *k, const ix_access *update)
{
    return update->atomic && update->got &&
           (k->options->model.rmw_chains || update->ordering == IR_ACQ_REL);
}

typedef struct gathering {
    checker *k;
    int copy;
    order_event *events; /* stb_ds array */
} gathering;

const ix_access *order_read_of(const checker *k, smt_t app)
{
    const summary *s = k->s;
    if (app->kind != SMT_APP)
        return NULL;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        smt_t got = s->accesses[i].got;
        if (got && got->kind == SMT_APP && got->n_args == app->n_args &&
            strcmp(got->name, app->name) == 0)
            return &s->accesses[i];
    }
    return NULL;
}

static void gather_value(void *user, smt_t term)
{
    gathering *g = user;
    const ix_access *read = order_read_of(g->k, term);
    if (read)
        arrput(g->events, order_event_of_value(g->k, read, term, g->copy));
}

order_event *order_values_behind(checker *k, const ix_access *access, int copy)
{
    gathering g = {.k = k, .copy = copy};
    smt_t all[] = {access->path, access->facts, access->mask};
    smt_t together = smt_bool_const(k->ctx, true);
    for (size_t i = 0; i < TR_COUNT(all); i++)
        together = smt_and(k->ctx, together, all[i]);
    smt_visit(k->ctx, together, gather_value, &g);
    return g.events;
}

bool order_releases_in_turn(checker *k, const ix_access *a, const ix_access *w)
{
    if (!order_releases(w))
        return false;
    model_order order = model_token_order(k->tokens, a->op, w->op);
    for (size_t c = 0; c < order.n_cases; c++) {
        bool in_turn = true;
        for (size_t d = 0; d < a->n_loops && d < w->n_loops; d++)
            if (a->loops[d]->op == w->loops[d]->op)
                in_turn &= (order.cases[c].steps[d] & MODEL_SAME) != 0;
        if (in_turn)
            return true;
    }
    return false;
}

/* ---- Section: asking ---- */

enum { SYNC = 4000 * 1000 }; /* steps for one obligation of a lemma */

bool order_refuted(checker *k, query conjuncts, const char *name)
{
    order_state_of(k)->questions++;
    return ask_verdict(k, conjuncts, name, SYNC) == SMT_UNSAT;
}

bool order_refuted_with(checker *k, query conjuncts, smt_t more, const char *name)
{
    return smt_is_false(more) || order_refuted(k, query_with(k, conjuncts, more), name);
}

order_pair order_pair_of(checker *k, const ix_access *a, const ix_access *b)
{
    order_pair p = {.k = k, .a = order_event_of(k, a, 0), .b = order_event_of(k, b, 1)};
    p.both = order_of_events(k, &p.a, &p.b);
    query_add(k, &p.both, copy_blocks_differ(k));
    query_add(k, &p.both, copy_same_location(k, a, b, COPY_OTHER_BLOCK));
    return p;
}

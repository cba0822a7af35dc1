/* TICKET: a counter that is only added to gives every update another number.
 *
 * Lemma. Let every write that can touch an element be an atomic addition of a positive constant, or
 * of a number that is not negative, at most c, all morally strong to each other (A2), or an update
 * that leaves what it has read. Let the element hold v0 at launch, let U bound the number of
 * additions to an element, and let v0 + c * U stay in the type's range. Then of the values that two
 * additions to one element read, one is larger than the other by at least what the other adds, and
 * none is below v0. Proof. Two updates never read from one write (A5), and all writes are updates,
 * so the updates of an element form a chain from the launch's value. Values never fall along it,
 * and rise at an addition by what it adds, as nothing wraps. The same of negative constants,
 * mirrored. NUMBER (unique_number.c) says the same of loads and stores under a lock, with the bound
 * of their number.
 *
 * The bound U: of an op the blocks count that can meet at one element, which is asked axis by axis
 * of the grid. An op outside loops runs once a block, one in loops whose rounds the launch gives as
 * often as their product says. An op in one other loop runs once a block in the
 * loop's first iteration; in a later one only where what it read in the iteration before was below
 * some T that is the same for the launch (asked), and where every round updates every element.
 * Values rise as long as nothing has wrapped, so at most T - v0 updates of an element read what is
 * below T before anything wraps, where each adds 1 at least; with these U is blocks + T - v0, and
 * if v0 + c * U is in range, nothing ever wraps. An op whose elements are many counts once for each
 * of them. */
#include "order/unique_ticket.h"

#include "order/event.h"
#include "order/state.h"
#include "order/unique_claim.h"
#include "order/unique_number.h"
#include "order/values.h"
#include "question/checker.h"
#include "question/layout.h"

#include "base/ds.h"

/* ---- Section: the bound ---- */

typedef struct limit_search { /* for T in facts of the form `value < T` */
    checker *k;
    smt_t *found; /* stb_ds array */
} limit_search;

static void look_for_limit(void *user, smt_t term)
{
    limit_search *l = user;
    if (term->kind != SMT_LE || term->args[0]->kind != SMT_SUM)
        return;
    smt_ctx *ctx = l->k->ctx;
    smt_t sum = term->args[0];
    for (uint32_t i = 0; i < sum->n_args; i++) {
        smt_t rest = smt_sub(ctx, sum, sum->args[i]);
        if (sum->coefs[i] == 1 && !term_is_launch_constant(l->k, sum->args[i]) &&
            term_is_launch_constant(l->k, rest))
            arrput(l->found, smt_sub(ctx, smt_int_const(ctx, 1), rest));
    }
}

/* Does some op of the block end the iteration of the loop that the block belongs to? */
static bool may_continue(const ir_op *op)
{
    if (op->code == IR_OP_CONTINUE)
        return true;
    if (op->code == IR_OP_FOR || op->code == IR_OP_LOOP)
        return false; /* its own iterations end there */
    for (uint32_t r = 0; r < op->n_regions; r++)
        for (const ir_op *o = op->regions[r] ? op->regions[r]->first : NULL; o; o = o->next)
            if (may_continue(o))
                return true;
    return false;
}

/* Does each iteration of the loop that another one follows update all its elements? What a
 * masked-off or skipped update is said to have read is no value of the counter. */
static bool draws_in_every_round(const ix_access *draw)
{
    const ir_block *body = draw->op->parent;
    if (draw->n_loops != 1 || body->parent != draw->loops[0]->op || !smt_is_true(draw->mask))
        return false;
    for (const ir_op *o = body->first; o != draw->op; o = o->next)
        if (may_continue(o))
            return false;
    return true;
}

/* Finds T, below which the op read in the preceding iteration whenever it is executed in a later
 * one; NULL: there is none. */
static smt_t limit_of(checker *k, const ix_access *draw)
{
    if (!draws_in_every_round(draw))
        return NULL;
    smt_ctx *ctx = k->ctx;
    limit_search l = {.k = k};
    smt_visit(ctx, smt_and(ctx, draw->path, draw->facts), look_for_limit, &l);
    order_event e = order_event_of(k, draw, 0);
    smt_t limit = NULL;
    query all = order_of_event(k, &e);
    smt_t counter = draw->loops[0]->counter, one = smt_int_const(ctx, 1);
    smt_t earlier = smt_sub(ctx, counter, one);
    smt_t within, got = smt_instantiate(ctx, draw->got, 1, &counter, &earlier, &within);
    smt_t before = order_term(k, &e, got);
    query_add(k, &all, order_term(k, &e, within)); /* of later iterations */
    query_add(k, &all, smt_le(ctx, one, e.counters[0]));
    for (size_t i = 0; i < arrlenu(l.found) && !limit; i++)
        if (order_refuted_with(k, all, smt_le(ctx, l.found[i], before), "sync-ticket-limit"))
            limit = l.found[i];
    arrfree(l.found);
    return limit;
}

/* Returns how often a block runs the op at most, where the launch says how long its loops are; else
 * NULL. It counts one round at least: a loop whose step is not positive is undefined, and not
 * followed any further.
 */
static smt_t rounds_of(checker *k, const ix_access *draw)
{
    smt_ctx *ctx = k->ctx;
    smt_t rounds = smt_int_const(ctx, 1), one = rounds;
    for (size_t d = 0; d < draw->n_loops; d++) {
        smt_t last = draw->loops[d]->last;
        if (!last || !term_is_launch_constant(k, last))
            return NULL;
        rounds = smt_mul(ctx, rounds, smt_max(ctx, one, smt_add(ctx, last, one)));
    }
    return rounds;
}

static smt_t elements_of(checker *k, const ix_access *draw)
{
    smt_int n = 1;
    for (int d = 0; d < draw->rank; d++)
        n *= draw->tile[d];
    return smt_int_const(k->ctx, n);
}

/* 1 where numbers rise, -1 where they fall; 0: neither, or nothing is drawn. */
static smt_int sign_of(checker *k, int allocation)
{
    const summary *s = k->s;
    smt_int sign = 0;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        order_draw draw;
        if (s->accesses[i].allocation != allocation || !order_draw_of(k, &s->accesses[i], &draw))
            continue;
        smt_int own = draw.by > 0 ? 1 : -1;
        if (sign == -own)
            return 0;
        sign = own;
    }
    return sign;
}

static smt_int step_of(const order_draw *draw)
{
    return draw->by < 0 ? -draw->by : draw->by;
}

enum { ASKED = 1 << 3 }; /* beside a bit for each axis */

/* Along which axes may blocks that would update one element by this op differ, whether they come to
 * it or not? Facts for questions are told of them all: of an update that is never executed another
 * number, as if it came behind the others. Asked before the read is called a ticket, as facts for
 * questions ask nothing themselves. */
static void find_axes(checker *k, const ix_access *w)
{
    smt_ctx *ctx = k->ctx;
    signed char *shared = &order_state_of(k)->shared[w->number];
    if (*shared)
        return;
    *shared = ASKED;
    order_event x = order_event_of(k, w, 2), y = order_event_of(k, w, 3);
    smt_t launch = smt_and(ctx, k->known.launch, w->mask);
    query all = query_with(k, (query){0}, order_term(k, &x, launch));
    query_add(k, &all, order_term(k, &y, launch));
    query_add(k, &all, order_overlap(k, &x, &y));
    for (int axis = 0; axis < 3; axis++)
        if (!order_refuted_with(k, all, smt_ne(ctx, x.block[axis], y.block[axis]),
                                "sync-ticket-axis"))
            *shared = (signed char)(*shared | 1 << axis);
}

/* Returns how many blocks update one element by this op at most. */
static smt_t blocks_of(const checker *k, const ix_access *w)
{
    signed char shared = k->known.sync->shared[w->number];
    smt_t blocks = smt_int_const(k->ctx, 1);
    for (int axis = 0; axis < 3; axis++)
        if (!(shared & ASKED) || (shared >> axis & 1))
            blocks = smt_mul(k->ctx, blocks, k->s->grid[axis]);
    return blocks;
}

static bool stays_in_range(checker *k, int allocation, const ix_access *read, bool *assumed)
{
    smt_ctx *ctx = k->ctx;
    const summary *s = k->s;
    smt_t start = order_held(ctx, 5), zero = smt_int_const(ctx, 0);
    smt_t updates = zero;
    smt_int most = 1, sign = sign_of(k, allocation);
    if (sign == 0)
        return false;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        order_draw draw;
        if (w->allocation != allocation || !order_draw_of(k, w, &draw))
            continue;
        if (step_of(&draw) > most)
            most = step_of(&draw);
        find_axes(k, w);
        smt_t own = smt_mul(ctx, blocks_of(k, w), elements_of(k, w)), rounds = rounds_of(k, w);
        updates = smt_add(ctx, updates, rounds ? smt_mul(ctx, own, rounds) : own);
        if (rounds)
            continue;
        bool may_end = w->n_loops == 1 && w->rank == 0 && sign > 0 && !draw.amount;
        smt_t limit = may_end ? limit_of(k, draw.read) : NULL;
        if (!limit)
            return false;
        updates = smt_add(ctx, updates, smt_max(ctx, zero, smt_sub(ctx, limit, start)));
    }
    order_event e = order_event_of(k, read, 0);
    query all = order_of_event(k, &e);
    query_add(k, &all, order_initial(k, &e, start, assumed));
    smt_t half = smt_int_const(ctx, (smt_int)1 << (8 * read->width - 1));
    query_add(k, &all, smt_le(ctx, smt_neg(ctx, half), start));
    query_add(k, &all, smt_lt(ctx, start, half));
    smt_t end = smt_add(ctx, smt_scale(ctx, start, sign), smt_scale(ctx, updates, most));
    return order_refuted_with(k, all, smt_le(ctx, half, end), "sync-ticket-range");
}

static bool only_looks(const ix_access *w, const ix_access *read)
{
    return w->atomic && w->got && !w->unknown && w->width == read->width && order_leaves_value(w) &&
           order_strong(w, w);
}

/* Can some event of the write touch an element that some event of the read does? */
static bool may_meet(checker *k, const ix_access *w, const ix_access *read)
{
    order_event x = order_event_of(k, read, 0), y = order_event_of(k, w, 1);
    query all = order_of_events(k, &x, &y);
    return !order_refuted(k, query_with(k, all, order_overlap(k, &x, &y)), "sync-ticket-word");
}

/* Are the read and every write that may touch an element of it updates? The updates of others say
 * nothing of a load, and nothing is known where no write goes to what is read. */
static bool are_updates(checker *k, const ix_access *read)
{
    const summary *s = k->s;
    order_draw own;
    if (!order_draw_of(k, read, &own) || own.read != read)
        return false;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        order_draw draw;
        if (w->writes && order_may_share(w, read) && !only_looks(w, read) &&
            (!order_draw_of(k, w, &draw) || draw.read != w || w->width != read->width) &&
            may_meet(k, w, read))
            return false;
    }
    return true;
}

/* Do the updates that add different numbers add what they look like? */
static bool amounts_fit(checker *k, int allocation)
{
    smt_ctx *ctx = k->ctx;
    const summary *s = k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        order_draw draw;
        if (w->allocation != allocation || !order_draw_of(k, w, &draw) || !draw.amount)
            continue;
        order_event e = order_event_of(k, w, 0);
        query all = order_of_event(k, &e);
        smt_t amount = order_term(k, &e, draw.amount), most = smt_int_const(ctx, draw.by);
        smt_t fits =
            smt_and(ctx, smt_le(ctx, smt_int_const(ctx, 0), amount), smt_le(ctx, amount, most));
        if (!order_refuted_with(k, all, smt_not(ctx, fits), "sync-ticket-amount"))
            return false;
    }
    return true;
}

static bool gives_tickets(checker *k, int allocation, const ix_access *read)
{
    if (!amounts_fit(k, allocation) ||
        (!are_updates(k, read) && !order_numbers_are_guarded(k, allocation)))
        return false;
    bool assumed = false;
    if (!stays_in_range(k, allocation, read, &assumed))
        return false;
    if (assumed)
        order_rests_on_cleared(k, read);
    return true;
}

static bool find_draw(checker *k, const ix_access *read, order_draw *draw)
{
    const summary *s = k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++)
        if (s->accesses[i].allocation == read->allocation &&
            order_draw_of(k, &s->accesses[i], draw) && draw->read == read)
            return true;
    return false;
}

/* Is the read half of a draw? */
static bool is_drawn(checker *k, const ix_access *read)
{
    order_state *state = order_state_of(k);
    signed char *known = &state->drawn[read->number];
    if (*known == 0) {
        order_draw draw;
        *known = read->allocation >= 0 && find_draw(k, read, &draw) ? 1 : -1;
    }
    return *known > 0;
}

bool order_is_ticket(checker *k, const ix_access *read)
{
    if (!is_drawn(k, read))
        return false;
    order_state *state = order_state_of(k);
    signed char *known = &state->tickets[read->number];
    if (*known == 0 && state->busy)
        return false; /* one such question at a time */
    if (*known == 0) {
        state->busy = true;
        *known = gives_tickets(k, read->allocation, read) ? 1 : -1;
        state->busy = false;
    }
    return *known > 0;
}

/* ---- Section: facts for a question ---- */

typedef struct ticket_search {
    checker *k;
    smt_t *values; /* stb_ds array */
} ticket_search;

static void collect_ticket(void *user, smt_t term)
{
    ticket_search *t = user;
    const ix_access *read = order_read_of(t->k, term);
    if (!read || arrlenu(t->values) >= 16 || (read->ordering == IR_WEAK && !is_drawn(t->k, read)))
        return;
    for (size_t i = 0; i < arrlenu(t->values); i++)
        if (t->values[i] == term)
            return;
    arrput(t->values, term);
}

/* Returns the most that all other updates of a ticket's element add; NULL where a loop decides.
 * Writes of another kind go to other words: that was asked before it was called a ticket. */
static smt_t most_before(checker *k, int allocation)
{
    smt_ctx *ctx = k->ctx;
    const summary *s = k->s;
    smt_t sum = smt_int_const(ctx, 0);
    smt_int least = 0;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        order_draw draw;
        if (w->allocation != allocation || !order_draw_of(k, w, &draw))
            continue;
        if (w->n_loops)
            return NULL;
        smt_int by = step_of(&draw);
        least = least == 0 || by < least ? by : least;
        sum =
            smt_add(ctx, sum, smt_scale(ctx, smt_mul(ctx, blocks_of(k, w), elements_of(k, w)), by));
    }
    return smt_sub(ctx, sum, smt_int_const(ctx, least)); /* its own is not among them */
}

/* `to` is at least the step of the draw behind `from`. */
static smt_t is_further(checker *k, smt_t from, smt_t to, smt_int sign)
{
    order_draw draw;
    if (!find_draw(k, order_read_of(k, from), &draw))
        return smt_bool_const(k->ctx, true);
    smt_t apart = smt_scale(k->ctx, smt_sub(k->ctx, to, from), sign);
    smt_t step = smt_int_const(k->ctx, step_of(&draw));
    if (draw.amount) {
        order_event e = order_event_behind(draw.read, from);
        step = order_term(k, &e, draw.amount);
    }
    return smt_le(k->ctx, step, apart);
}

/* Adds the facts about two tickets. An event that does not happen has a value that nothing else
 * speaks of, so facts about it exclude nothing. */
static void add_facts(checker *k, query *conjuncts, smt_t x, smt_t y)
{
    smt_ctx *ctx = k->ctx;
    order_event a = order_event_behind(order_read_of(k, x), x);
    smt_t is_memory = order_term(k, &a, a.access->mask);
    smt_int sign = sign_of(k, a.access->allocation);
    if (x == y) {
        const char *name = tr_arena_printf(k->arena, "held@t%u", x->id);
        smt_t start = smt_private_var(ctx, name, SMT_NO_LOW, SMT_NO_HIGH);
        bool assumed = false;
        query_add(k, conjuncts, order_initial(k, &a, start, &assumed));
        smt_t risen = smt_scale(ctx, smt_sub(ctx, x, start), sign);
        query_add(k, conjuncts,
                  smt_implies(ctx, is_memory, smt_le(ctx, smt_int_const(ctx, 0), risen)));
        smt_t most = most_before(k, a.access->allocation);
        if (most)
            query_add(k, conjuncts, smt_implies(ctx, is_memory, smt_le(ctx, risen, most)));
        return;
    }
    order_event b = order_event_behind(order_read_of(k, y), y);
    if (a.access->allocation != b.access->allocation)
        return;
    is_memory = smt_and(ctx, is_memory, order_term(k, &b, b.access->mask));
    smt_t other = smt_not(ctx, order_same_event(k, &a, &b));
    smt_t one_word = smt_and(ctx, order_exactly(k, &a, &b), smt_and(ctx, other, is_memory));
    smt_t apart = smt_or(ctx, is_further(k, x, y, sign), is_further(k, y, x, sign));
    smt_t most = most_before(k, a.access->allocation);
    if (most) { /* both lie between what the launch left and that much more */
        smt_t between = smt_sub(ctx, y, x);
        apart = smt_and(
            ctx, apart,
            smt_and(ctx, smt_le(ctx, between, most), smt_le(ctx, smt_neg(ctx, between), most)));
    }
    query_add(k, conjuncts, smt_implies(ctx, one_word, apart));
}

void order_add_tickets(checker *k, query *conjuncts)
{
    if (!order_state_of(k)->any_reads)
        return;
    ticket_search t = {.k = k};
    query_visit(k, *conjuncts, collect_ticket, &t);
    for (size_t i = 0; i < arrlenu(t.values); i++) {
        const ix_access *read = order_read_of(k, t.values[i]);
        if (!order_is_ticket(k, read)) {
            order_event e = order_event_behind(read, t.values[i]);
            if (read->ordering != IR_WEAK)
                query_add(k, conjuncts, order_possible_values(k, &e));
            for (size_t j = 0; j < i; j++)
                order_add_claims(k, conjuncts, t.values[j], t.values[i]);
            continue;
        }
        for (size_t j = 0; j <= i; j++)
            if (order_is_ticket(k, order_read_of(k, t.values[j])))
                add_facts(k, conjuncts, t.values[i], t.values[j]);
    }
    arrfree(t.values);
}

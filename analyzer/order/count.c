/* COUNT: the last of all blocks that add to a counter.
 *
 * Lemma. Let every write of location L in the launch be an addition of W by one of the ops R, all
 * morally strong to each other (A2), where W >= 1 is one number of the whole launch (or all of -W:
 * mirrored), and let L hold v0 at launch. Let Q be an event of block B that reads v at L: an event
 * of an R, or an acquiring read. Updates that leave what they have read count for nothing and are
 * links of the chains below all the same. Call slots the events of the ops R at L that the path
 * conditions allow, executed or not, and let N be a bound of their number. Suppose that (1)
 * whenever a and b both happen, v - v0 > (N - 2) W if Q is an event of an R, else
 * v - v0 > (N - 1) W; (2) block A has a slot, an event r at L that a is token-before or is itself,
 * and r releases; (3) Q acquires and is token-before b, or is b; v0 + N W does not wrap. Then a
 * happens before b in every consistent execution with both. Proof. By A5 two updates do not read
 * from one write, and all writes of L are updates, so they form a chain from the launch's value:
 * its i-th reads v0 + i W, which no i <= N makes wrap. Q reads v, so v - v0 is i W for the i
 * updates that are before it in the chain, and by (1) and W >= 1, i >= N - 1 or i >= N. These (and
 * Q, if it is one) are N events in N slots: every slot is taken by an event that was executed, r
 * too. r is before Q in the chain (it is not Q: another block); the updates between pass its
 * release on (D20), Q acquires it (D18).
 *
 * Other writes of L are allowed in two cases. Either each puts a number w there for which (1) holds
 * as it does for v0, and w + N W does not wrap. Then the same is said of the chain from whatever
 * write it begins with; and of two events of ops R that read as much at L, each would be before the
 * other in the other's chain, so there are no two. Or Q is an event of an R and each is token-after
 * an update Z of its own block, at L, that read as much as (1) asks of Q (the counter is set back).
 * Then no update reads from them: of those that do, through updates, take the first by reads-from
 * and tokens, which have no cycles (A9). It reads from a write after such a Z, which is in the
 * chain by choice of the first; Z and the N - 1 before it fill all slots, and none is left for it.
 * By the same count no two updates of L read one value (NUMBERS).
 *
 * The bound N, for each op: slots of one location agree in the block id along an axis, or they do
 * not and the axis counts with its extent. Where there is one op, it may also be a window: slots of
 * one location have a number f (an axis, the linear block id) that is another for other blocks, and
 * these differ by less than E, which is what Q has counted: v - v0 + 1 if Q is an event of an R,
 * else v - v0, where W is 1. No more slots than that are there, so nothing wraps. Two slots of one
 * op and block are never at one location (asked), so slots are as many as blocks. */
#include "order/count.h"

#include "order/event.h"
#include "order/state.h"
#include "question/checker.h"
#include "question/layout.h"

#include "base/ds.h"

enum { MAX_UPDATES = 8 };

typedef struct count_question {
    order_pair *p;
    const order_event *read;
    size_t n_updates;
    const ix_access *updates[MAX_UPDATES]; /* the ops R */
    size_t n_others;
    const ix_access *others[MAX_UPDATES]; /* other writes, perhaps of L */
    smt_t slots;                          /* N, once it is known */
    const ix_access *update;              /* the one that a question is about */
    smt_int by;                           /* the sign of what they add: 1 or -1 */
    smt_t step;                           /* W, what they add without its sign */
    bool is_own;                          /* Q is an event of one of them */
    bool assumed;
} count_question;

/* Adds what a slot needs: the path and the mask, and of the facts only those of the whole launch,
 * which hold where any block got as far as stating them. */
static void add_slot(count_question *c, query *conjuncts, const order_event *e)
{
    checker *k = c->p->k;
    query_add(k, conjuncts, order_term(k, e, k->known.launch));
    query_add(k, conjuncts, order_term(k, e, e->access->path));
    query_add(k, conjuncts, order_term(k, e, e->access->mask));
    query_add(k, conjuncts, order_overlap(k, e, c->read));
}

/* W and its sign; false: it may be another number in another block, or than that of the updates
 * before. A parameter counts as positive here: is_positive asks. */
static bool find_step(const count_question *c, smt_t put, smt_int *by, smt_t *step)
{
    checker *k = c->p->k;
    smt_int number;
    if (!term_is_launch_constant(k, put))
        return false;
    *by = smt_is_const(put, &number) && number < 0 ? -1 : 1;
    *step = smt_scale(k->ctx, put, *by);
    return !c->step || (c->step == *step && c->by == *by);
}

/* The updates that write there, and other writes; false when they are not of a kind that counts. */
static bool find_updates(count_question *c)
{
    checker *k = c->p->k;
    const ix_access *read = c->read->access;
    const summary *s = k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        if (!w->writes || !order_may_share(w, read))
            continue;
        smt_int by;
        smt_t step;
        if (c->n_updates == MAX_UPDATES || c->n_others == MAX_UPDATES || w->unknown ||
            w->width != read->width)
            return false;
        bool in_chain = w->got && w->atomic && order_strong(w, read) && order_continues(k, w);
        if (in_chain && order_leaves_value(w))
            continue;
        if (!in_chain || w->change != IX_CHANGE_ADD || !find_step(c, w->put, &by, &step)) {
            c->others[c->n_others++] = w;
            continue;
        }
        c->by = by;
        c->step = step;
        c->updates[c->n_updates++] = w;
        c->is_own |= w == read;
    }
    return c->n_updates > 0;
}

/* Different slots of one location, in copies 2 and 3. */
static query two_slots(count_question *c, order_event *x, order_event *y)
{
    checker *k = c->p->k;
    *x = order_event_of(k, c->update, 2);
    *y = order_event_of(k, c->update, 3);
    query all = c->p->both;
    add_slot(c, &all, x);
    add_slot(c, &all, y);
    return all;
}

static const char once_key[] = "once", axis_keys[3][2] = {"x", "y", "z"}, window_key[] = "window",
                  elsewhere_key[] = "elsewhere";

static order_memo memo_of(const count_question *c, const char *what)
{
    return (order_memo){.a = c->p->a.access,
                        .b = c->p->b.access,
                        .at = c->update,
                        .app = c->read->app,
                        .what = what};
}

static bool one_slot_a_block(count_question *c)
{
    checker *k = c->p->k;
    order_memo memo = memo_of(c, once_key);
    const order_memo *known = order_recall(k, &memo);
    if (known)
        return known->yes;
    order_event x, y;
    query all = two_slots(c, &x, &y);
    smt_t twice =
        smt_and(k->ctx, order_same_block(k, &x, &y), smt_not(k->ctx, order_same_event(k, &x, &y)));
    smt_t partly = smt_not(k->ctx, order_exactly(k, &x, c->read));
    bool once = order_refuted_with(k, all, twice, "sync-count-once") &&
                order_refuted_with(k, all, partly, "sync-count-exact");
    return order_remember(k, memo, once);
}

/* Returns how many ids the slots have on that axis: 1 or the extent. */
static smt_t axis_count(count_question *c, int axis)
{
    checker *k = c->p->k;
    smt_int constant;
    if (smt_is_const(k->s->grid[axis], &constant) && constant == 1)
        return smt_int_const(k->ctx, 1);
    order_memo memo = memo_of(c, axis_keys[axis]);
    const order_memo *known = order_recall(k, &memo);
    if (known)
        return known->yes ? smt_int_const(k->ctx, 1) : k->s->grid[axis];
    order_event x, y;
    query all = two_slots(c, &x, &y);
    bool fixed =
        order_refuted_with(k, all, smt_ne(k->ctx, x.block[axis], y.block[axis]), "sync-count-axis");
    order_remember(k, memo, fixed);
    return fixed ? smt_int_const(k->ctx, 1) : k->s->grid[axis];
}

/* Returns the sum of what those updates have added that come after the one that held `start`, up to
 * the one that has read `value`, which is included.
 */
static smt_t count_between(const count_question *c, smt_t start, smt_t value)
{
    smt_ctx *ctx = c->p->k->ctx;
    smt_t counted = smt_scale(ctx, smt_sub(ctx, value, start), c->by);
    return c->is_own ? smt_add(ctx, counted, c->step) : counted;
}

static smt_t limit_of(const count_question *c)
{
    smt_int half = (smt_int)1 << (8 * c->read->access->width - 1);
    return smt_int_const(c->p->k->ctx, half - 1);
}

/* Returns the sum of what all slots add. */
static smt_t all_steps(const count_question *c)
{
    return smt_mul(c->p->k->ctx, c->slots, c->step);
}

/* Returns the fact that all slots from `start` on leave the type's range. */
static smt_t wraps_after(const count_question *c, smt_t start)
{
    smt_ctx *ctx = c->p->k->ctx;
    smt_t end = smt_add(ctx, smt_scale(ctx, start, c->by), all_steps(c));
    return smt_lt(ctx, limit_of(c), end);
}

/* Is W a number of the type, and at least 1? */
static bool is_positive(const count_question *c)
{
    checker *k = c->p->k;
    smt_ctx *ctx = k->ctx;
    smt_t good = smt_and(ctx, smt_le(ctx, smt_int_const(ctx, 1), c->step),
                         smt_le(ctx, c->step, limit_of(c)));
    return order_refuted_with(k, c->p->both, smt_not(ctx, good), "sync-count-step");
}

/* A number that a word can hold; a term may be another one, which wraps. */
static smt_t is_held(const count_question *c, smt_t number)
{
    smt_ctx *ctx = c->p->k->ctx;
    smt_int half = (smt_int)1 << (8 * c->read->access->width - 1);
    return smt_and(ctx, smt_le(ctx, smt_int_const(ctx, -half), number),
                   smt_lt(ctx, number, smt_int_const(ctx, half)));
}

/* `value - start` does not reach the slots (the reader's own included), or would by wrapping. */
static smt_t falls_short(const count_question *c, smt_t value, smt_t start)
{
    smt_ctx *ctx = c->p->k->ctx;
    smt_t counted = count_between(c, start, value);
    smt_t but_one = smt_sub(ctx, all_steps(c), c->step);
    return smt_or(ctx, smt_le(ctx, counted, but_one), wraps_after(c, start));
}

/* Is it proved that `value - v0` reaches all slots, or all but the reader's own, where the
 * conjuncts hold? */
static bool reaches(count_question *c, query conjuncts, smt_t value)
{
    checker *k = c->p->k;
    smt_t start = order_held(k->ctx, 5);
    smt_t initial = order_initial(k, c->read, start, &c->assumed);
    initial = smt_and(k->ctx, initial, is_held(c, start));
    return order_refuted_with(k, conjuncts, smt_and(k->ctx, initial, falls_short(c, value, start)),
                              "sync-count-reached");
}

/* Works as reaches() does, counting from the value that the write puts there. */
static bool reaches_from(count_question *c, const ix_access *write, smt_t value)
{
    checker *k = c->p->k;
    smt_ctx *ctx = k->ctx;
    if (write->change != IX_CHANGE_PUT || !write->put || write->unknown)
        return false;
    order_event w = order_event_of(k, write, 3);
    query all = order_premises_with(k, c->p->both, &w, c->read);
    smt_t put = order_term(k, &w, write->put), whole = order_exactly(k, &w, c->read);
    smt_t wrong =
        smt_or(ctx, smt_not(ctx, smt_and(ctx, whole, is_held(c, put))), falls_short(c, value, put));
    return order_refuted_with(k, all, wrong, "sync-count-from");
}

static bool reaches_from_others(count_question *c, smt_t value)
{
    for (size_t i = 0; i < c->n_others; i++)
        if (!reaches_from(c, c->others[i], value))
            return false;
    return true;
}

/* Are slots a window: do they have numbers that differ by less than what Q has counted, and that
 * are different for different blocks? */
static bool window(count_question *c, smt_t x_number, smt_t y_number, const order_event *x,
                   const order_event *y, query all)
{
    checker *k = c->p->k;
    smt_ctx *ctx = k->ctx;
    smt_t start = order_held(ctx, 5);
    smt_t counted = count_between(c, start, c->read->app);
    smt_t far_apart = smt_le(ctx, counted, smt_sub(ctx, x_number, y_number));
    smt_t shared =
        smt_and(ctx, smt_eq(ctx, x_number, y_number), smt_not(ctx, order_same_block(k, x, y)));
    smt_t initial = order_initial(k, c->read, start, &c->assumed);
    /* There are no more slots than were counted, and that many lie between two numbers of the type:
     * so what Q has read is as many additions away, and not whole rounds of the type further. */
    initial = smt_and(ctx, initial, is_held(c, start));
    smt_t wrong = smt_or(ctx, far_apart, shared);
    return order_refuted_with(k, all, smt_and(ctx, initial, wrong), "sync-count-window");
}

static bool counts_a_window(count_question *c)
{
    checker *k = c->p->k;
    smt_ctx *ctx = k->ctx;
    order_memo memo = memo_of(c, window_key);
    const order_memo *known = order_recall(k, &memo);
    if (known)
        return known->yes;
    order_event x, y;
    query all = two_slots(c, &x, &y);
    bool found = false;
    for (int axis = 0; axis < 3 && !found; axis++)
        if (!smt_is_const(k->s->block_id[axis], NULL))
            found = window(c, x.block[axis], y.block[axis], &x, &y, all);
    smt_t row = k->s->grid[0], plane = smt_mul(ctx, row, k->s->grid[1]);
    smt_t x_linear =
        smt_add(ctx, x.block[0],
                smt_add(ctx, smt_mul(ctx, row, x.block[1]), smt_mul(ctx, plane, x.block[2])));
    smt_t y_linear =
        smt_add(ctx, y.block[0],
                smt_add(ctx, smt_mul(ctx, row, y.block[1]), smt_mul(ctx, plane, y.block[2])));
    found = found || window(c, x_linear, y_linear, &x, &y, all);
    return order_remember(k, memo, found);
}

/* Has the op no slot at that location? */
static bool is_elsewhere(count_question *c)
{
    checker *k = c->p->k;
    order_memo memo = memo_of(c, elsewhere_key);
    const order_memo *known = order_recall(k, &memo);
    if (known)
        return known->yes;
    order_event x = order_event_of(k, c->update, 2);
    query all = c->p->both;
    add_slot(c, &all, &x);
    return order_remember(k, memo, order_refuted(k, all, "sync-count-elsewhere"));
}

static smt_t all_slots(count_question *c)
{
    smt_ctx *ctx = c->p->k->ctx;
    smt_t all = smt_int_const(ctx, 0);
    for (size_t i = 0; i < c->n_updates; i++) {
        smt_t slots = smt_int_const(ctx, 1);
        c->update = c->updates[i];
        if (c->n_updates > 1 && is_elsewhere(c))
            continue;
        for (int axis = 0; axis < 3; axis++)
            slots = smt_mul(ctx, slots, axis_count(c, axis));
        all = smt_add(ctx, all, slots);
    }
    return all;
}

static bool counts_all(count_question *c)
{
    smt_int step;
    return reaches(c, c->p->both, c->read->app) ||
           (c->n_updates == 1 && c->n_others == 0 && smt_is_const(c->step, &step) && step == 1 &&
            counts_a_window(c));
}

/* ---- Section: setting the counter back ---- */

static bool is_update(const count_question *c, const ix_access *w)
{
    for (size_t i = 0; i < c->n_updates; i++)
        if (c->updates[i] == w)
            return true;
    return false;
}

/* Does the write come after its own block's update of L, which was the last one? */
static bool sets_back(count_question *c, const ix_access *write)
{
    checker *k = c->p->k;
    smt_ctx *ctx = k->ctx;
    order_event z = order_event_of(k, write, 3);
    query all = order_premises_with(k, c->p->both, &z, c->read);
    bool good = order_refuted(k, all, "sync-count-other");
    order_event *values = good ? NULL : order_values_behind(k, write, 3);
    for (size_t i = 0; i < arrlenu(values) && !good; i++) {
        smt_t own = smt_and(ctx, order_exactly(k, &values[i], c->read),
                            order_token_before(k, &values[i], &z));
        own = smt_and(ctx, own, order_happens(k, &values[i]));
        good = is_update(c, values[i].access) &&
               order_refuted_with(k, all, smt_not(ctx, own), "sync-count-set-back") &&
               reaches(c, all, values[i].app);
    }
    arrfree(values);
    return good;
}

/* Are N and W known? Every block has one slot for each of the ops. */
static bool slots_are_known(count_question *c)
{
    if (!is_positive(c))
        return false;
    for (size_t i = 0; i < c->n_updates; i++) {
        c->update = c->updates[i];
        if (!one_slot_a_block(c))
            return false;
    }
    c->slots = all_slots(c);
    return true;
}

static bool others_set_back(count_question *c)
{
    if (c->n_others && !c->is_own)
        return false;
    for (size_t i = 0; i < c->n_others; i++)
        if (!sets_back(c, c->others[i]))
            return false;
    return true;
}

static bool is_inside_loops_of(const ix_access *r, const ix_access *other)
{
    bool inside = r->n_loops <= other->n_loops;
    for (size_t d = 0; d < r->n_loops && inside; d++)
        inside = r->loops[d]->op == other->loops[d]->op;
    return inside;
}

/* The update by a's block in those iterations. */
static order_event update_in(count_question *c, const smt_t *counters)
{
    checker *k = c->p->k;
    const ix_access *r = c->update;
    smt_t args[3 + IX_MAX_LOOPS + IR_MAX_RANK], got = r->got;
    order_event plain = order_event_of(k, r, 0);
    for (int axis = 0; axis < 3; axis++)
        args[axis] = c->p->a.block[axis];
    for (size_t d = 0; d < r->n_loops; d++)
        args[3 + d] = counters[d];
    for (int d = 0; d < r->rank; d++)
        args[3 + r->n_loops + (size_t)d] = plain.coordinate[d];
    return order_event_behind(r,
                              smt_app(k->ctx, got->name, got->n_args, args, got->low, got->high));
}

static bool comes_before_slot(count_question *c, const order_event *own)
{
    checker *k = c->p->k;
    smt_ctx *ctx = k->ctx;
    const ix_access *r = c->update;
    smt_t slot = smt_and(ctx, order_term(k, own, r->path), order_term(k, own, r->mask));
    slot = smt_and(ctx, slot, order_overlap(k, own, c->read));
    smt_t after = order_before_release(k, &c->p->a, own);
    return order_refuted_with(k, c->p->both, smt_not(ctx, smt_and(ctx, slot, after)),
                              "sync-count-adds");
}

/* Has a's own block a slot that a comes before, in a's iteration or in the one in which Q has
 * looked? */
static bool a_adds(count_question *c)
{
    const ix_access *a = c->p->a.access, *r = c->update;
    if (!order_releases(r) || r->got->kind != SMT_APP)
        return false;
    for (int d = 0; d < r->rank; d++)
        if (r->tile[d] != 1 && a != r)
            return false;
    if (is_inside_loops_of(r, a)) {
        order_event own = order_event_of(c->p->k, r, 0);
        if (comes_before_slot(c, &own))
            return true;
    }
    if (r->n_loops == 0 || !is_inside_loops_of(r, c->read->access))
        return false;
    order_event own = update_in(c, c->read->counters);
    return comes_before_slot(c, &own);
}

static bool b_follows(count_question *c)
{
    checker *k = c->p->k;
    smt_ctx *ctx = k->ctx;
    smt_t after = order_after_acquire(k, c->read, &c->p->b);
    const ix_access *q = c->read->access;
    smt_t memory = order_term(k, c->read, smt_and(ctx, q->path, q->mask));
    return order_refuted_with(k, c->p->both, smt_not(ctx, smt_and(ctx, after, memory)),
                              "sync-count-after");
}

bool order_by_count(order_pair *p, const order_event *read)
{
    checker *k = p->k;
    const ix_access *q = read->access;
    if (!order_acquires(q) || q->unknown)
        return false;
    count_question c = {.p = p, .read = read};
    if (!find_updates(&c) || !b_follows(&c))
        return false;
    const ix_access *own = NULL;
    for (size_t i = 0; i < c.n_updates; i++) {
        c.update = c.updates[i];
        if (!own && a_adds(&c))
            own = c.update;
    }
    if (!own || !slots_are_known(&c) || !counts_all(&c))
        return false;
    if (!reaches_from_others(&c, read->app) && !others_set_back(&c))
        return false;
    order_state_of(k)->acquire = q;
    order_state_of(k)->release = own;
    if (c.assumed)
        order_rests_on_cleared(k, q);
    order_rests_on_choice(k, TRUST_UPDATES);
    if (c.n_others)
        order_rests_on_choice(k, TRUST_NO_THIN_AIR);
    return true;
}

/* Do both read a value that takes all slots but their own? Then each would be in the other's chain.
 */
static bool both_are_last(count_question *c, smt_t first, smt_t second)
{
    return reaches(c, c->p->both, first) && reaches_from_others(c, first) &&
           reaches(c, c->p->both, second) && reaches_from_others(c, second);
}

/* Do both read one value of a counter that gives no value twice until it is set back? */
static bool both_read_one(count_question *c, smt_t first, smt_t second)
{
    checker *k = c->p->k;
    smt_ctx *ctx = k->ctx;
    smt_t held = order_held(ctx, 5);
    smt_t wraps = smt_and(ctx, order_initial(k, c->read, held, &c->assumed), wraps_after(c, held));
    return order_refuted_with(k, c->p->both, smt_ne(ctx, first, second), "sync-count-same") &&
           others_set_back(c) && order_refuted_with(k, c->p->both, wraps, "sync-count-wraps");
}

bool order_by_numbers(order_pair *p, const order_event *read)
{
    checker *k = p->k;
    smt_ctx *ctx = k->ctx;
    count_question c = {.p = p, .read = read};
    if (read->access->unknown || !find_updates(&c) || !c.is_own || !slots_are_known(&c))
        return false;
    order_event *values = order_values_behind(k, p->a.access, 0);
    bool exclusive = false;
    for (size_t i = 0; i < arrlenu(values) && !exclusive; i++) {
        smt_t both = smt_and(ctx, order_happens(k, &values[i]), order_happens(k, read));
        smt_t one = smt_and(ctx, both, order_exactly(k, &values[i], read));
        exclusive = is_update(&c, values[i].access) &&
                    order_refuted_with(k, p->both, smt_not(ctx, one), "sync-count-one") &&
                    (both_are_last(&c, values[i].app, read->app) ||
                     both_read_one(&c, values[i].app, read->app));
    }
    arrfree(values);
    if (!exclusive)
        return false;
    if (c.assumed)
        order_rests_on_cleared(k, read->access);
    if (c.n_others)
        order_rests_on_choice(k, TRUST_NO_THIN_AIR);
    return true;
}

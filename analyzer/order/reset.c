/* RESET: the kernel leaves the words that it synchronises by at 0, as it found them.
 *
 * A proof that takes a buffer's words to hold 0 at launch is one for every launch of a series only
 * if each launch leaves them at 0. The lemmas below show that, by induction over the launches: the
 * words hold 0 when a launch begins, and the launch has ended.
 *
 * COVERED. Let every write W of the buffer that may put another number than 0 at a location L have
 * a write Z that is executed whenever W is, that puts 0 at all of L, and that comes after W: by
 * tokens in W's own block, or in another block by one of the lemmas that prove that W happens
 * before Z. Then L holds 0 in the end. Proof. Say that the last write of L in coherence order that
 * changes it makes something else of it than 0: then it is such a W. Its Z puts 0 there, and comes
 * later in coherence order (A4): a contradiction. A failed swap and an addition of 0 change
 * nothing. Z's iteration, element and block are given as terms over W's own: a guess, of which the
 * obligation then shows that such an event is executed, or that one of several is. Its loops are
 * those that W is in, in the same iteration, and counted ones, none of whose iterations is left
 * out.
 *
 * COUNTED. Let the buffer have one op R outside loops that adds 1 (or -1), and let every block of
 * the grid execute it. Let the number of blocks that add at one location L be N: along each axis of
 * the grid either all blocks that differ there alone add at one location, and the axis counts with
 * its extent, or no two that differ there do. Let every other write Z of the buffer come after an R
 * of its own block, at Z's location, that has read N - 1 (or 1 - N), and put 0 there; and let each
 * such R have a Z. Updates are morally strong to each other. Then L holds 0 in the end. Proof. No Z
 * comes before the N-th addition of L in coherence order: take the first that does; its block's R
 * comes before it and has read N - 1, so N - 1 additions come before that R. So the N additions,
 * one a block, read 0 to N - 1 (A5), and the last of them is followed by its own block's Z. No
 * other R has read N - 1, so all Z are of that block and come after all additions. */
#include "order/reset.h"

#include "order/event.h"
#include "order/place.h"
#include "order/waits.h"
#include "question/ask.h"
#include "question/checker.h"

#include "base/ds.h"

enum { MOST_ORDERS = 12 };

typedef struct reset_question {
    checker *k;
    int allocation;
    const ix_access *write;        /* W, or R */
    order_event w;                 /* its event, in copy 0 */
    query happens;                 /* it does, and puts another number than 0 there */
    smt_t *covers;                 /* stb_ds array: ways to be sure that 0 follows */
    bool across_blocks;            /* Z may be in another block */
    size_t orders;                 /* questions on order between blocks, so far */
    order_launch_of *launch_of;    /* NULL: nobody asks for a launch */
    const concrete_launch *launch; /* that an open question named; or NULL */
} reset_question;

/* ---- Section: W and what covers it ---- */

static smt_t holds_at(checker *k, const ix_access *z, const order_place *at, smt_t condition)
{
    smt_t within, here = order_at_place(k, z, at, condition, &within);
    return smt_and(k->ctx, within, here);
}

/* The value that an execution of the write puts there is 0. */
static smt_t puts_zero(checker *k, const ix_access *z)
{
    if (z->change != IX_CHANGE_PUT || !z->put)
        return smt_bool_const(k->ctx, false);
    return smt_eq(k->ctx, z->put, smt_int_const(k->ctx, 0));
}

/* When does W change its element to another number than 0? True where that is not known. */
static smt_t puts_other(checker *k, const order_event *w)
{
    smt_ctx *ctx = k->ctx;
    const ix_access *a = w->access;
    smt_t zero = smt_int_const(ctx, 0), put = a->put ? order_term(k, w, a->put) : NULL;
    if (!put || (a->change != IX_CHANGE_PUT && a->change != IX_CHANGE_SWAP))
        return smt_bool_const(ctx, true);
    if (a->change == IX_CHANGE_PUT)
        return smt_ne(ctx, put, zero); /* where it wraps, it may be 0 all the same */
    smt_int half = (smt_int)1 << (8 * a->width - 1);
    smt_t value = smt_private_var_of_range(ctx, "made@", -half, half - 1);
    smt_t changes = a->got ? smt_ne(ctx, value, order_term(k, w, a->got)) : NULL;
    return changes ? smt_and(ctx, smt_and(ctx, order_written(k, w, value), changes),
                             smt_ne(ctx, value, zero))
                   : smt_bool_const(ctx, true);
}

/* Z's events that are those of the place, as copy 1 has them. */
static smt_t is_at(checker *k, const ix_access *z, const order_place *at)
{
    smt_ctx *ctx = k->ctx;
    order_event e = order_event_of(k, z, 1);
    smt_t all = smt_bool_const(ctx, true);
    for (int axis = 0; axis < 3; axis++)
        all = smt_and(ctx, all, smt_eq(ctx, e.block[axis], at->block[axis]));
    for (size_t d = 0; d < z->n_loops; d++)
        all = smt_and(ctx, all, smt_eq(ctx, e.counters[d], at->counters[d]));
    for (int d = 0; d < z->rank; d++)
        all = smt_and(ctx, all, smt_eq(ctx, e.coordinate[d], at->lane[d]));
    return all;
}

static bool comes_later(reset_question *q, const ix_access *z, const order_place *at)
{
    if (!q->across_blocks || q->orders == MOST_ORDERS)
        return false;
    q->orders++;
    return order_proves_where(q->k, q->write, z, is_at(q->k, z, at));
}

static void add_cover(reset_question *q, const ix_access *z, const order_place *at)
{
    checker *k = q->k;
    smt_ctx *ctx = k->ctx;
    smt_t within, cover = smt_bool_const(ctx, true);
    for (int axis = 0; axis < 3; axis++) {
        smt_t below = smt_lt(ctx, at->block[axis], k->s->grid[axis]);
        cover = smt_and(ctx, cover,
                        smt_and(ctx, below, smt_le(ctx, smt_int_const(ctx, 0), at->block[axis])));
    }
    cover = smt_and(ctx, cover, holds_at(k, z, at, z->path));
    cover = smt_and(ctx, cover, holds_at(k, z, at, z->mask));
    cover = smt_and(ctx, cover, holds_at(k, z, at, puts_zero(k, z)));
    smt_t there = order_at_place(k, z, at, z->bytes, &within);
    smt_t same = smt_eq(ctx, there, order_term(k, &q->w, q->write->bytes));
    cover = smt_and(ctx, cover, smt_and(ctx, within, same));
    if (smt_is_false(cover))
        return;
    order_event e = order_event_at(z, at);
    smt_t own = order_same_block(k, &q->w, &e);
    smt_t after = smt_and(ctx, own, order_token_before(k, &q->w, &e));
    if (!smt_is_true(own) && comes_later(q, z, at))
        after = smt_or(ctx, after, smt_not(ctx, own));
    cover = smt_and(ctx, cover, after);
    if (!smt_is_false(cover))
        arrput(q->covers, cover);
}

static void find_covers(reset_question *q, bool across_blocks)
{
    const summary *s = q->k->s;
    order_place *places = TR_NEW_ARRAY(q->k->arena, order_place, ORDER_MOST_PLACES);
    q->across_blocks = across_blocks;
    arrsetlen(q->covers, 0);
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *z = &s->accesses[i];
        if (!z->writes || z->allocation != q->allocation || z->width != q->write->width ||
            smt_is_false(puts_zero(q->k, z)))
            continue;
        size_t n = order_places(q->k, &q->w, z, across_blocks, places);
        for (size_t p = 0; p < n; p++)
            add_cover(q, z, &places[p]);
    }
}

/* ---- Section: asking; an open question names a launch to try ---- */

/* Sizes that are run in no time: else the launch is of no use. */
static smt_t short_launch(checker *k)
{
    enum { MOST_BLOCKS = 40, MOST_SIZE = 4096 };
    smt_ctx *ctx = k->ctx;
    smt_t all = smt_bool_const(ctx, true), most = smt_int_const(ctx, MOST_SIZE);
    smt_t blocks = smt_mul(ctx, k->s->grid[0], smt_mul(ctx, k->s->grid[1], k->s->grid[2]));
    for (size_t i = 0; i < k->contract->n_args; i++)
        if (k->contract->args[i].kind == CONTRACT_SCALAR)
            all = smt_and(ctx, all, smt_le(ctx, contract_param(ctx, k->contract, i), most));
    return smt_and(ctx, all, smt_le(ctx, blocks, smt_int_const(ctx, MOST_BLOCKS)));
}

enum { STEPS = 4000 * 1000 };

static bool refuted(reset_question *q, query conjuncts, const char *name)
{
    checker *k = q->k;
    smt_answer answer = ask_for(k, conjuncts, name, STEPS);
    if (answer.verdict == SMT_UNSAT || q->launch || !q->launch_of)
        return answer.verdict == SMT_UNSAT;
    answer = ask_for(k, query_with(k, conjuncts, short_launch(k)), name, STEPS);
    if (answer.verdict == SMT_SAT)
        q->launch = q->launch_of(k, answer.model);
    return false;
}

static bool is_covered(reset_question *q, const char *name)
{
    checker *k = q->k;
    query all = q->happens;
    for (size_t i = 0; i < arrlenu(q->covers); i++)
        query_add(k, &all, smt_not(k->ctx, q->covers[i]));
    return refuted(q, all, name);
}

/* ---- Section: COVERED ---- */

static bool write_is_covered(reset_question *q, const ix_access *w)
{
    checker *k = q->k;
    q->write = w;
    q->w = order_event_of(k, w, 0);
    q->happens = order_of_event(k, &q->w);
    query_add(k, &q->happens, puts_other(k, &q->w));
    find_covers(q, false);
    const concrete_launch *before = q->launch;
    if (is_covered(q, "reset-own"))
        return true;
    size_t own = arrlenu(q->covers);
    find_covers(q, true);
    if (arrlenu(q->covers) <= own)
        return false;
    q->launch = before; /* what covers it more closely asks for a launch of its own */
    return is_covered(q, "reset-other");
}

static bool all_are_covered(reset_question *q)
{
    const summary *s = q->k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        bool leaves = order_leaves_value(w) && w->atomic && order_strong(w, w);
        if (w->writes && w->allocation == q->allocation && !leaves && !write_is_covered(q, w))
            return false;
    }
    return true;
}

/* ---- Section: COUNTED ---- */

/* The only op that adds; NULL: there is none, or several. */
static const ix_access *find_adding(const reset_question *q, smt_int *by)
{
    const summary *s = q->k->s;
    const ix_access *r = NULL;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        smt_int step;
        if (!w->writes || w->allocation != q->allocation || !w->atomic ||
            w->change != IX_CHANGE_ADD || !w->put || !smt_is_const(w->put, &step) ||
            (step != 1 && step != -1))
            continue;
        if (r)
            return NULL;
        r = w;
        *by = step;
    }
    bool one = r && r->n_loops == 0 && r->got && r->got->kind == SMT_APP && order_strong(r, r);
    for (int d = 0; one && d < r->rank; d++)
        one = r->tile[d] == 1;
    return one ? r : NULL;
}

/* Facts of the launch, of the ids of a block too, as the copy has them. */
static query in_the_grid(checker *k, const ix_access *r, int copies)
{
    query all = {0};
    for (int copy = 0; copy < copies; copy++) {
        order_event e = order_event_of(k, r, copy);
        query_add(k, &all, order_term(k, &e, k->known.launch));
    }
    return all;
}

static bool refuted_with(reset_question *q, query conjuncts, smt_t more, const char *name)
{
    return smt_is_false(more) || refuted(q, query_with(q->k, conjuncts, more), name);
}

static bool every_block_adds(reset_question *q, const ix_access *r)
{
    checker *k = q->k;
    order_event e = order_event_of(k, r, 0);
    smt_t happens = order_term(k, &e, smt_and(k->ctx, r->path, r->mask));
    query all = in_the_grid(k, r, 1);
    return refuted_with(q, all, smt_not(k->ctx, happens), "reset-all-add");
}

/* N; NULL: not known. */
static smt_t blocks_that_add(reset_question *q, const ix_access *r)
{
    checker *k = q->k;
    smt_ctx *ctx = k->ctx;
    order_event x = order_event_of(k, r, 0), y = order_event_of(k, r, 1);
    smt_t bytes = smt_eq(ctx, order_term(k, &x, r->bytes), order_term(k, &y, r->bytes));
    smt_t overlap = order_overlap(k, &x, &y), n = smt_int_const(ctx, 1);
    query all = in_the_grid(k, r, 2);
    for (int axis = 0; axis < 3 && n; axis++) {
        smt_t differ = smt_ne(ctx, x.block[axis], y.block[axis]), alone = differ;
        for (int other = 0; other < 3; other++)
            if (other != axis)
                alone = smt_and(ctx, alone, smt_eq(ctx, x.block[other], y.block[other]));
        if (order_refuted_with(k, all, smt_and(ctx, differ, overlap), "reset-axis-apart"))
            continue;
        alone = smt_and(ctx, alone, smt_not(ctx, bytes));
        n = order_refuted_with(k, all, alone, "reset-axis-together")
                ? smt_mul(ctx, n, k->s->grid[axis])
                : NULL;
    }
    return n;
}

/* The block's R read what the last of all that add at its location reads. */
static smt_t was_last(checker *k, smt_t got, smt_t n, smt_int by)
{
    return smt_eq(k->ctx, smt_scale(k->ctx, got, by), smt_sub(k->ctx, n, smt_int_const(k->ctx, 1)));
}

/* Does Z come after its own block's R, which was the last one? */
static bool follows_the_last(reset_question *q, const ix_access *r, const ix_access *z, smt_t n,
                             smt_int by)
{
    checker *k = q->k;
    smt_ctx *ctx = k->ctx;
    order_event own = order_event_of(k, r, 0), e = order_event_of(k, z, 0);
    query all = order_of_event(k, &e);
    smt_t good = smt_and(ctx, was_last(k, order_term(k, &own, r->got), n, by),
                         smt_and(ctx, order_exactly(k, &own, &e), order_token_before(k, &own, &e)));
    good = smt_and(ctx, good, order_term(k, &e, puts_zero(k, z)));
    return refuted_with(q, all, smt_not(ctx, good), "reset-follows-last");
}

static bool others_follow_the_last(reset_question *q, const ix_access *r, smt_t n, smt_int by)
{
    const summary *s = q->k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *z = &s->accesses[i];
        if (z->writes && z != r && z->allocation == q->allocation &&
            !(order_leaves_value(z) && z->atomic && order_strong(z, r)) &&
            !follows_the_last(q, r, z, n, by))
            return false;
    }
    return true;
}

static bool is_counted(reset_question *q)
{
    checker *k = q->k;
    smt_ctx *ctx = k->ctx;
    smt_int by = 1;
    const ix_access *r = find_adding(q, &by);
    if (!r || !every_block_adds(q, r))
        return false;
    smt_t n = blocks_that_add(q, r);
    if (!n)
        return false;
    smt_t most = smt_int_const(ctx, ((smt_int)1 << (8 * r->width - 1)) - 1);
    query all = in_the_grid(k, r, 1);
    if (!refuted_with(q, all, smt_lt(ctx, most, n), "reset-count-wraps") ||
        !others_follow_the_last(q, r, n, by))
        return false;
    q->write = r;
    q->w = order_event_of(k, r, 0);
    q->happens = order_of_event(k, &q->w);
    query_add(k, &q->happens, was_last(k, order_term(k, &q->w, r->got), n, by));
    find_covers(q, false);
    return is_covered(q, "reset-last");
}

/* ---- Section: the buffer ---- */

/* Are only whole words of the buffer written, and does nothing else lie in them? */
static bool are_words(const checker *k, int allocation)
{
    const summary *s = k->s;
    int width = 0;
    if (allocation < 0)
        return false;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *w = &s->accesses[i];
        if (!w->writes || (w->allocation >= 0 && w->allocation != allocation))
            continue;
        if (w->allocation < 0 || w->unknown || w->half || (width && w->width != width))
            return false;
        width = w->width;
    }
    return true;
}

/* Is there a return inside a loop or a branch? A block that ends there leaves out all that comes
 * behind it, and later iterations. */
static bool returns_inside(const ir_block *block)
{
    for (const ir_op *op = block->first; op; op = op->next) {
        if (op->code == IR_OP_RETURN && block->parent)
            return true;
        for (uint32_t i = 0; i < op->n_regions; i++)
            if (op->regions[i] && returns_inside(op->regions[i]))
                return true;
    }
    return false;
}

bool order_resets(checker *k, int allocation, order_launch_of *launch_of,
                  const concrete_launch **open)
{
    if (open)
        *open = NULL;
    if (!are_words(k, allocation) || returns_inside(k->kernel->body))
        return false;
    const known_basis before = k->basis;
    reset_question q = {.k = k, .allocation = allocation, .launch_of = launch_of};
    bool resets = is_counted(&q);
    const concrete_launch *counted = q.launch;
    if (!resets) {
        q.launch = NULL;
        resets = all_are_covered(&q);
    }
    if (!resets) {
        if (open)
            *open = counted ? counted : q.launch;
        k->basis = before; /* no proof rests on what was noted since */
    }
    arrfree(q.covers);
    return resets;
}

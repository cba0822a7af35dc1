/* Edited copies of the summary, for mistake.c. An edit that contradicts the kernel's own conditions
 * would make the two accesses unreachable and so "ordered", so each edited pair is first asked
 * whether it can still happen. */
#include "rules/mistake_edits.h"

#include "order/each.h"
#include "order/event.h"
#include "order/lock.h"
#include "order/orders.h"
#include "order/state.h"
#include "order/waits.h"
#include "question/checker.h"

#include "base/ds.h"

typedef struct edition {
    checker *k;
    checker as_it_was; /* what is put back */
    summary s;
    kernel_report report;
} edition;

static void begin(edition *e, checker *k)
{
    TR_ASSERT(k->known.sync && !k->known.sync->relaying && !k->known.sync->busy);
    const order_state *before = k->known.sync;
    *e = (edition){.k = k, .as_it_was = *k, .s = *k->s, .report = *k->report};
    e->s.accesses = NULL;
    e->s.universals = NULL;
    for (size_t i = 0; i < arrlenu(k->s->universals); i++)
        arrput(e->s.universals, k->s->universals[i]);
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        arrput(e->s.accesses, k->s->accesses[i]);
    k->basis = (known_basis){0};
    k->requires_ = NULL;
    for (size_t i = 0; i < arrlenu(e->as_it_was.requires_); i++)
        arrput(k->requires_, e->as_it_was.requires_[i]);
    k->s = &e->s;
    k->report = &e->report;
    k->known.sync = NULL;
    order_state *state = order_state_of(k);
    state->any_reads = true;
    for (size_t i = 0; i < arrlenu(e->s.accesses); i++) {
        state->tickets[i] = before->tickets[i];
        state->drawn[i] = before->drawn[i];
        state->claims[i] = before->claims[i];
    }
}

static const ix_access *original(const edition *e, const ix_access *edited)
{
    return edited ? &e->as_it_was.s->accesses[edited->number] : NULL;
}

/* Puts everything back. */
static bool end(edition *e, bool ordered, sync_ends *ends)
{
    checker *k = e->k;
    const checker *was = &e->as_it_was;
    ends->release = original(e, k->known.sync->release);
    ends->acquire = original(e, k->known.sync->acquire);
    was->known.sync->questions += k->known.sync->questions;
    arrfree(k->requires_);
    arrfree(e->s.accesses);
    arrfree(e->s.universals);
    k->s = was->s;
    k->report = was->report;
    k->tokens = was->tokens;
    k->contract = was->contract;
    k->basis = was->basis;
    k->requires_ = was->requires_;
    k->known = was->known;
    TR_ASSERT(k->known.sync && k->s->accesses);
    return ordered;
}

static bool is_ordered(edition *e, const ix_access *a, const ix_access *b,
                       bool (*orders)(checker *k, const ix_access *a, const ix_access *b))
{
    const ix_access *x = &e->s.accesses[a->number], *y = &e->s.accesses[b->number];
    order_pair p = order_pair_of(e->k, x, y);
    bool possible = !order_refuted(e->k, p.both, "mistake-pair");
    return possible && orders(e->k, x, y);
}

/* ---- Section: orders, scopes, tokens ---- */

/* Is the buffer there to synchronise by, as far as one can see? */
static bool synchronises(edition *e, int allocation, const ix_access *a, const ix_access *b)
{
    const summary *s = e->as_it_was.s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++)
        if (s->accesses[i].allocation == allocation && s->accesses[i].ordering != IR_WEAK)
            return true;
    bool steers = false;
    for (int side = 0; side < 2 && !steers; side++) {
        order_event *values = order_values_behind(e->k, side ? b : a, 0);
        for (size_t i = 0; i < arrlenu(values); i++)
            steers |= values[i].access->allocation == allocation;
        arrfree(values);
    }
    return steers;
}

static void strengthen(ix_access *w, bool release, bool acquire)
{
    release |= w->ordering == IR_RELEASE || w->ordering == IR_ACQ_REL;
    acquire |= w->ordering == IR_ACQUIRE || w->ordering == IR_ACQ_REL;
    w->ordering = release && acquire ? IR_ACQ_REL
                  : release          ? IR_RELEASE
                  : acquire          ? IR_ACQUIRE
                                     : IR_RELAXED;
    w->scope = IR_SCOPE_SYS;
}

static void edit_orders(edition *e, unsigned edits, const ix_access *a, const ix_access *b)
{
    for (size_t i = 0; i < arrlenu(e->s.accesses); i++) {
        ix_access *w = &e->s.accesses[i];
        if ((edits & SYNC_EDIT_SCOPE) && w->ordering != IR_WEAK)
            w->scope = IR_SCOPE_SYS;
        if (!(edits & (SYNC_EDIT_RELEASE | SYNC_EDIT_ACQUIRE)) || w->number == a->number ||
            w->number == b->number || !synchronises(e, w->allocation, a, b))
            continue;
        bool release = (edits & SYNC_EDIT_RELEASE) && w->writes && !order_leaves_value(w);
        bool acquire = (edits & SYNC_EDIT_ACQUIRE) && w->reads && w->got;
        strengthen(w, release, acquire);
    }
}

static void edit_tokens(edition *e, unsigned edits)
{
    checker *k = e->k;
    const ir_op **takers = NULL, **givers = NULL;
    const unsigned orders = SYNC_EDIT_RELEASE | SYNC_EDIT_ACQUIRE;
    bool moved = !(edits & orders) && !order_has_lock(k); /* a section ends where it ends */
    if (edits & SYNC_EDIT_PER_NAME)
        k->tokens = k->tokens_per_name;
    for (size_t i = 0; i < arrlenu(e->s.accesses); i++) {
        const ix_access *w = &e->s.accesses[i];
        bool released = model_releases(w->op), acquired = model_acquires(w->op);
        if ((edits & SYNC_EDIT_BEFORE) && order_releases(w) &&
            !(edits & SYNC_EDIT_RELEASE && released))
            arrput(takers, w->op);
        if ((edits & SYNC_EDIT_AFTER) && order_acquires(w) && !(edits & orders && acquired))
            arrput(givers, w->op);
    }
    if (arrlenu(takers) + arrlenu(givers) > 0)
        k->tokens = model_tokens_had(k->arena, k->tokens, moved, edits & SYNC_EDIT_AFTER,
                                     arrlenu(takers), takers, arrlenu(givers), givers);
    arrfree(takers);
    arrfree(givers);
}

bool corrected_would_order(checker *k, unsigned edits, const ix_access *a, const ix_access *b,
                           sync_ends *ends)
{
    edition e;
    begin(&e, k);
    edit_orders(&e, edits, a, b);
    edit_tokens(&e, edits);
    return end(&e, is_ordered(&e, a, b, order_proves), ends);
}

/* ---- Section: what is waited for ---- */

typedef struct wait_edit {
    edition *e;
    sync_wait wait;
    const ix_access *a, *b; /* b waits for a's block; in the summary as it is */
    smt_t app;              /* a value that steers b */
    const ix_access *read;  /* whose value it is */
    const ix_access *release;
    ix_universal *universal; /* in the copy: `app` is in what it says; or NULL */
    size_t number;           /* of it */
} wait_edit;

typedef struct app_search {
    checker *k;
    smt_t *apps; /* stb_ds array */
} app_search;

static void look(void *user, smt_t term)
{
    app_search *s = user;
    const ix_access *read = order_read_of(s->k, term);
    if (read && order_acquires(read))
        arrput(s->apps, term);
}

static smt_t *values_in(checker *k, smt_t term)
{
    app_search s = {.k = k};
    smt_visit(k->ctx, term, look, &s);
    return s.apps;
}

/* Does the next iteration read it again? Then it is what the loop went on after. */
static bool is_read_again(checker *k, const smt_t *apps, size_t i)
{
    const ix_access *read = order_read_of(k, apps[i]);
    for (size_t j = 0; j < arrlenu(apps) && read->n_loops > 0; j++) {
        size_t at = 2 + read->n_loops; /* the innermost loop's iteration, behind the block ids */
        smt_int by;
        if (order_read_of(k, apps[j]) == read &&
            smt_is_const(smt_sub(k->ctx, apps[j]->args[at], apps[i]->args[at]), &by) && by == 1)
            return true;
    }
    return false;
}

/* The event of a that the pair is about, by names that all blocks share: its block and iterations
 * become constants of the launch. */
static smt_t partner(checker *k, smt_t variable)
{
    const char *name = tr_arena_printf(k->arena, "partner of %s", variable->name);
    return smt_var(k->ctx, name, variable->low, variable->high);
}

/* "This event is of the partner's iterations", as far as the loops are those of a. */
static smt_t in_its_iterations(const wait_edit *w, const ix_access *of)
{
    checker *k = w->e->k;
    smt_ctx *ctx = k->ctx;
    smt_t same = smt_bool_const(ctx, true);
    for (size_t d = 0; d < of->n_loops && d < w->a->n_loops; d++)
        if (of->loops[d]->op == w->a->loops[d]->op)
            same = smt_and(ctx, same,
                           smt_eq(ctx, of->loops[d]->counter, partner(k, of->loops[d]->counter)));
    return same;
}

static smt_t in_its_block(const wait_edit *w)
{
    checker *k = w->e->k;
    smt_t same = smt_bool_const(k->ctx, true);
    for (int axis = 0; axis < 3; axis++)
        if (!smt_is_const(k->s->block_id[axis], NULL))
            same = smt_and(k->ctx, same,
                           smt_eq(k->ctx, k->s->block_id[axis], partner(k, k->s->block_id[axis])));
    return same;
}

/* a is of the partner's block and iterations: the one that the constants are. */
static void make_partner(const wait_edit *w)
{
    checker *k = w->e->k;
    ix_access *a = &w->e->s.accesses[w->a->number];
    smt_t same = smt_and(k->ctx, in_its_block(w), in_its_iterations(w, a));
    a->path = smt_and(k->ctx, a->path, same);
}

static ix_access *edited(const wait_edit *w, const ix_access *access)
{
    return &w->e->s.accesses[access->number];
}

/* The code goes on by a number of its own, and of the value that was read another thing is known.
 */
static void set_value(const wait_edit *w, smt_t known)
{
    checker *k = w->e->k;
    ix_access *b = edited(w, w->b);
    const char *name = tr_arena_printf(k->arena, "asked %s", w->app->name);
    smt_t asked = smt_app(k->ctx, name, w->app->n_args, w->app->args, w->app->low, w->app->high);
    b->path = smt_guess_instance(k->ctx, b->path, 1, &w->app, &asked);
    b->mask = smt_guess_instance(k->ctx, b->mask, 1, &w->app, &asked);
    b->facts = smt_guess_instance(k->ctx, b->facts, 1, &w->app, &asked);
    b->facts = smt_and(k->ctx, b->facts, known);
}

/* Returns a value that nothing in the kernel writes, for the word at launch. */
static smt_t unlike_any(const wait_edit *w)
{
    return smt_int_const(w->e->k->ctx, ((smt_int)1 << (8 * w->read->width - 1)) - 6);
}

/* Lets the buffer hold a number at launch with which b does not proceed. */
static bool edit_initial(const wait_edit *w)
{
    checker *k = w->e->k;
    if (w->release->change == IX_CHANGE_ADD)
        return false; /* a counter from another number counts to none that is asked for */
    contract *other = tr_arena_copy(k->arena, k->contract, sizeof *k->contract);
    other->args =
        tr_arena_copy(k->arena, k->contract->args, k->contract->n_args * sizeof *k->contract->args);
    smt_t held = unlike_any(w);
    for (size_t i = 0; i < other->n_args; i++)
        if (w->read->arg >= 0 && other->args[i].kind == CONTRACT_POINTER &&
            k->s->allocations[w->read->allocation].first_arg == (int)i)
            other->args[i].contents.min = other->args[i].contents.max = held;
    k->contract = other;
    smt_t goes_on = smt_ne(k->ctx, w->app, held);
    ix_access *b = edited(w, w->b);
    if (!w->universal)
        b->facts = smt_and(k->ctx, b->facts, goes_on);
    else
        w->universal->statement = smt_and(k->ctx, w->universal->statement, goes_on);
    return true;
}

/* Corrects the awaited value: among the values that the partner's block writes there, only the
 * release in the partner's iterations writes the one that b has read. Other blocks may write that
 * value, too. */
static bool edit_value(const wait_edit *w)
{
    checker *k = w->e->k;
    smt_ctx *ctx = k->ctx;
    smt_int right = ((smt_int)1 << (8 * w->read->width - 1)) - 8;
    smt_t number = smt_int_const(ctx, right), other = smt_int_const(ctx, right + 1);
    make_partner(w);
    for (size_t i = 0; i < arrlenu(w->e->s.accesses); i++) {
        ix_access *write = &w->e->s.accesses[i];
        if (!write->writes || write->allocation != w->read->allocation || !write->put ||
            order_leaves_value(write))
            continue;
        smt_t early = in_its_block(w);
        if (write->number == w->release->number)
            early = smt_and(ctx, early, smt_not(ctx, in_its_iterations(w, write)));
        write->change = IX_CHANGE_PUT;
        write->put = smt_ite(ctx, early, other, number);
    }
    set_value(w, smt_eq(ctx, w->app, number));
    return true;
}

/* Lets b have read the value that is there when all blocks have counted. */
static bool edit_count(const wait_edit *w)
{
    checker *k = w->e->k;
    smt_ctx *ctx = k->ctx;
    smt_int by;
    if (w->release->change != IX_CHANGE_ADD || !smt_is_const(w->release->put, &by) ||
        (by != 1 && by != -1))
        return false;
    order_event read = order_event_behind(w->read, w->app);
    bool assumed = false;
    smt_t held = smt_var(ctx, "held", SMT_NO_LOW, SMT_NO_HIGH), all = smt_int_const(ctx, 0);
    smt_t blocks = smt_mul(ctx, k->s->grid[0], smt_mul(ctx, k->s->grid[1], k->s->grid[2]));
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        if (k->s->accesses[i].allocation == w->read->allocation &&
            k->s->accesses[i].change == IX_CHANGE_ADD)
            all = smt_add(ctx, all, blocks);
    smt_t counted = smt_scale(ctx, smt_sub(ctx, w->app, held), by);
    smt_t start = order_initial(k, &read, held, &assumed);
    set_value(w, smt_and(ctx, start, smt_le(ctx, all, counted)));
    return true;
}

/* Lets the read be of the element that the partner's release writes, and others write elsewhere. */
static bool edit_element(const wait_edit *w)
{
    checker *k = w->e->k;
    smt_ctx *ctx = k->ctx;
    ix_access *read = edited(w, w->read);
    smt_t from[3 + IX_MAX_LOOPS], to[3 + IX_MAX_LOOPS];
    size_t n = 0;
    for (int axis = 0; axis < 3; axis++)
        if (!smt_is_const(k->s->block_id[axis], NULL)) {
            from[n] = k->s->block_id[axis];
            to[n++] = partner(k, k->s->block_id[axis]);
        }
    for (size_t d = 0; d < w->release->n_loops; d++) {
        if (d >= w->a->n_loops || w->release->loops[d]->op != w->a->loops[d]->op)
            return false; /* which of its elements? */
        from[n] = w->release->loops[d]->counter;
        to[n] = partner(k, from[n]);
        n++;
    }
    for (size_t i = 0; i < arrlenu(w->e->s.accesses); i++)
        if (w->e->s.accesses[i].allocation == w->read->allocation && w->e->s.accesses[i].unknown)
            return false;
    for (int d = 0; d < w->release->rank; d++)
        if (w->release->tile[d] != 1)
            return false;
    if (w->release->unknown || w->read->unknown)
        return false;
    make_partner(w);
    for (size_t i = 0; i < arrlenu(w->e->s.accesses); i++) {
        ix_access *write = &w->e->s.accesses[i];
        if (!write->writes || write->allocation != w->read->allocation || write == read)
            continue;
        smt_t far = smt_add(ctx, write->bytes, smt_int_const(ctx, IX_REGION_DISTANCE));
        write->tensor = NULL;
        write->bytes = smt_ite(ctx, in_its_block(w), write->bytes, far);
    }
    read->tensor = NULL;
    read->bytes = smt_guess_instance(ctx, w->release->bytes, n, from, to);
    return true;
}

static bool edit_wait(const wait_edit *w)
{
    switch (w->wait) {
    case SYNC_WAIT_INITIAL:
        return edit_initial(w);
    case SYNC_WAIT_VALUE:
        return edit_value(w);
    case SYNC_WAIT_COUNT:
        return edit_count(w);
    case SYNC_WAIT_ELEMENT:
        return edit_element(w);
    }
    return false;
}

static bool wait_orders(checker *k, wait_edit w, sync_ends *ends)
{
    edition e;
    begin(&e, k);
    w.e = &e;
    w.universal = w.number < arrlenu(e.s.universals) ? &e.s.universals[w.number] : NULL;
    return end(&e, edit_wait(&w) && is_ordered(&e, w.a, w.b, order_proves_by_wait), ends);
}

/* Can b's read see what the release of a's block writes, at its element? Of INITIAL: as it is. */
static bool may_tell(checker *k, const wait_edit *w)
{
    order_pair p = order_pair_of(k, w->a, w->b);
    order_event release = order_event_of(k, w->release, 2);
    order_event read = order_event_of_value(k, w->read, w->app, 1);
    order_add_event(k, &p.both, &release);
    query_add(k, &p.both, order_same_block(k, &p.a, &release));
    if (w->wait == SYNC_WAIT_INITIAL)
        query_add(k, &p.both, order_written(k, &release, read.app));
    return !order_refuted_with(k, p.both, order_overlap(k, &release, &read), "mistake-told");
}

/* Tries each release of a. */
static bool some_release_orders(checker *k, wait_edit w, sync_ends *ends)
{
    const summary *s = k->s;
    w.read = order_read_of(k, w.app);
    for (size_t r = 0; r < arrlenu(s->accesses); r++) {
        w.release = &s->accesses[r];
        if (w.release->writes && w.release->allocation == w.read->allocation &&
            order_releases_in_turn(k, w.a, w.release) &&
            (w.wait == SYNC_WAIT_ELEMENT || may_tell(k, &w)) && wait_orders(k, w, ends))
            return true;
    }
    return false;
}

/* Would the edit order the two where b waits for many of a's flags? */
static bool each_would_order(checker *k, wait_edit w, sync_ends *ends)
{
    smt_t *all = order_universals_behind(k, w.b);
    bool ordered = false;
    for (size_t i = 0; i < arrlenu(all) && !ordered; i++) {
        const ix_universal *u = order_universal_of(k, all[i]);
        smt_t *apps = values_in(k, u->statement);
        w.number = (size_t)(u - k->s->universals);
        for (size_t v = 0; v < arrlenu(apps) && !ordered; v++) {
            w.app = apps[v];
            ordered = some_release_orders(k, w, ends);
        }
        arrfree(apps);
    }
    arrfree(all);
    return ordered;
}

/* Would the edit order the two where b waits for a? */
static bool would_order(checker *k, sync_wait wait, const ix_access *a, const ix_access *b,
                        sync_ends *ends)
{
    wait_edit w = {.wait = wait, .a = a, .b = b, .number = SIZE_MAX};
    smt_t *apps = values_in(k, smt_and(k->ctx, b->path, smt_and(k->ctx, b->facts, b->mask)));
    bool ordered = false;
    for (size_t i = 0; i < arrlenu(apps) && !ordered; i++) {
        w.app = apps[i];
        ordered = !is_read_again(k, apps, i) && some_release_orders(k, w, ends);
    }
    arrfree(apps);
    return ordered || (wait == SYNC_WAIT_INITIAL && each_would_order(k, w, ends));
}

bool corrected_wait_would_order(checker *k, sync_wait wait, const ix_access *a, const ix_access *b,
                                sync_ends *ends)
{
    return would_order(k, wait, a, b, ends) || (a != b && would_order(k, wait, b, a, ends));
}

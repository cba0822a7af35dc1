/* TURN: a ticket lock. Each tile block takes a ticket, waits for its turn, and hands over.
 *
 * Lemma. Let L be a location, and a and b events of two blocks, each in turn at L: its path says
 * that its block has taken a ticket t by an update D (TICKET: two different updates of one element
 * take different numbers), and that an acquiring read Q of its block at L has read a number s >= t,
 * with Q token-before the event or the event itself. Call an event of a write of L a hand-over
 * where its own path says the same of it, Q token-before it, its ticket is of the same element as
 * those of a and b, it releases, and it puts t + 1 at L; or, where all hand-overs do so, it adds 1
 * and has a ticket that no other hand-over has. Suppose that
 *
 *   (1) every write of L is a hand-over, or an update that leaves what it has read and passes
 *       releases on (D20); all of them touch all of L and are morally strong to each other (A2);
 *   (2) a is token-before every hand-over with a's own ticket, and b before those with b's own;
 *   (3) what L holds at launch is no larger than the tickets of a and b, and where hand-overs add,
 *       no larger than that of any hand-over.
 *
 * Then a and b are ordered in every consistent execution with both. Proof. Their tickets differ;
 * let that of a be the smaller one. Say first that every hand-over with ticket t makes t + 1. Q of
 * b has read s >= t(b) > t(a), which is not the launch's value by (3), so it comes through updates
 * from a hand-over U1 with t(U1) = s - 1 >= t(a), which is before b (D18, D20). If t(U1) > t(a),
 * the read Q of U1 has read no less than t(U1) > t(a), and comes from a hand-over U2 with t(U2) >=
 * t(a) that is before U1, and so on. Each is before the last in happens-before, which has no cycles
 * and finitely many events before any other (D21, A7), so this ends, and only at a hand-over with
 * the ticket t(a). Tickets are unique, so it is a's own: a is token-before it (2).
 *
 * Hand-overs that add 1: all writes of L are updates, so they form a chain from the launch's value
 * s0 (A5), and the i-th hand-over, from 0, reads s0 + i. Its Q comes before it in the chain (A8),
 * so t(i) <= s0 + i, and t(i) >= s0 by (3). As the tickets differ, t(i) = s0 + i by induction: it
 * makes t + 1. Nothing wraps, as TICKET keeps t + 1 in the range of its type, and that of L is as
 * wide.
 *
 * KEPT. No launch of a ticket lock resets its words. Let T and L be two words of buffers, the same
 * two at every launch, and say that L holds no more than T when a launch begins. Suppose that, at
 * every such launch,
 *
 *   (1) every write that touches T is an update of all of T that adds a constant above 0, or leaves
 *       what it has read;
 *   (2) every write that touches L touches all of it, and leaves what it has read, or puts t + 1
 *       there where t is what a ticket (TICKET) of its own block has read of T; or every one that
 *       leaves not what it has read adds 1, is in turn at L with a ticket of T, and has a ticket
 *       that no other one has.
 *
 * Then L holds no more than T when the launch has ended. Proof. T never falls, and nothing wraps
 * (TICKET), so it ends above every ticket t, which is at least t + 1. What stores put into L is
 * such a t + 1. Additions of 1: as above, with the launch's value s0 of L no larger than any
 * ticket, the i-th finds t(i) = s0 + i in L, and L ends at the last ticket + 1. By induction over
 * the launches, the first of which finds both at 0, L never holds more than T when a launch begins.
 * What is proved for all such numbers, T from 0 to 2^30, is proved for every launch until there
 * have been so many tickets. In the questions T holds m, a variable from 0 to 2^30, and L any
 * number from 0 to m.
 */
#include "order/turn.h"

#include "order/event.h"
#include "order/state.h"
#include "order/unique_number.h"
#include "order/unique_ticket.h"
#include "question/checker.h"

#include "base/ds.h"

#include <string.h>

typedef struct turn { /* of an event: the ticket, and the look at L */
    order_event ticket, look;
    size_t which; /* of all choices of the two among the values behind the event */
} turn;

/* A write that may hand over, and the choice of ticket and look that (1) and (2) hold for. The
 * proof wants one ticket for each hand-over, whatever question it is asked about in. */
typedef struct hand_over {
    const ix_access *access;
    size_t which;
} hand_over;

typedef struct turn_question {
    checker *k;
    order_pair *p;
    turn of_a, of_b;
    bool adds, stores; /* hand-overs that were met do */
    const ix_access *release;
    bool assumed;
} turn_question;

/* ---- Section: an event in turn ---- */

static bool is_ticket(checker *k, const order_event *value, int width)
{
    order_draw draw;
    return order_draw_of(k, value->access, &draw) && draw.read == value->access && !draw.amount &&
           draw.by > 0 && value->access->width <= width && order_is_ticket(k, value->access);
}

/* Do the conjuncts say that ticket and look happened, that the look has read no less than the
 * ticket, and that it is token-before the event? */
static bool is_in_turn(checker *k, query conjuncts, const order_event *e, const turn *t)
{
    smt_ctx *ctx = k->ctx;
    smt_t reached = smt_le(ctx, t->ticket.app, t->look.app);
    smt_t good = smt_and(ctx, order_happens(k, &t->ticket), order_happens(k, &t->look));
    good = smt_and(ctx, good, smt_and(ctx, reached, order_after_acquire(k, &t->look, e)));
    return order_refuted_with(k, conjuncts, smt_not(ctx, good), "sync-turn-reached");
}

static bool may_be_look(const ix_access *read)
{
    return order_acquires(read) && !read->unknown && read->allocation >= 0 &&
           order_strong(read, read);
}

/* Finds a ticket and a look that the event is behind, after skipping `skipped` others; `at`, or
 * NULL, is the location of the look. */
static bool find_turn(checker *k, query conjuncts, const order_event *e, const order_event *at,
                      size_t skipped, turn *found)
{
    order_event *values = order_values_behind(k, e->access, e->copy);
    bool good = false;
    for (size_t q = 0; q < arrlenu(values) && !good; q++) {
        const ix_access *look = values[q].access;
        if (!may_be_look(look) || (at && look->allocation != at->access->allocation))
            continue;
        smt_t elsewhere = at ? smt_not(k->ctx, order_exactly(k, &values[q], at)) : NULL;
        for (size_t d = 0; d < arrlenu(values) && !good; d++) {
            *found = (turn){values[d], values[q], q * arrlenu(values) + d};
            good = d != q && is_ticket(k, &values[d], look->width) &&
                   is_in_turn(k, conjuncts, e, found) &&
                   (!at || order_refuted_with(k, conjuncts, elsewhere, "sync-turn-place")) &&
                   skipped-- == 0;
        }
    }
    arrfree(values);
    return good;
}

/* ---- Section: hand-overs ---- */

static bool leaves_value(checker *k, const ix_access *w, const ix_access *look)
{
    return order_leaves_value(w) && order_continues(k, w) && w->width == look->width &&
           order_strong(w, w) && order_strong(w, look);
}

/* Could this write hand over the turn, by its form: a releasing store, or an addition of 1? */
static bool may_hand_over(checker *k, const ix_access *w, const ix_access *look, bool *adds)
{
    smt_int by;
    if (w->unknown || !w->put || w->width != look->width || !order_releases(w) ||
        !order_strong(w, w) || !order_strong(w, look))
        return false;
    *adds = w->change == IX_CHANGE_ADD;
    if (*adds)
        return order_continues(k, w) && smt_is_const(w->put, &by) && by == 1;
    return w->change == IX_CHANGE_PUT;
}

/* The event happens, and may be at L. */
static query with_event(const turn_question *q, query conjuncts, const order_event *w)
{
    return order_premises_with(q->k, conjuncts, w, &q->of_b.look);
}

/* Does (2) hold for one of the two events? */
static bool comes_before(turn_question *q, query conjuncts, const order_event *e, const turn *of_e,
                         const order_event *w, const turn *of_w)
{
    checker *k = q->k;
    smt_t late = smt_and(k->ctx, order_same_event(k, &of_w->ticket, &of_e->ticket),
                         smt_not(k->ctx, order_token_before(k, e, w)));
    return order_refuted_with(k, conjuncts, late, "sync-turn-before");
}

/* Does (3) hold: is the launch's value not above the ticket? */
static bool starts_below(turn_question *q, query conjuncts, const turn *of_e)
{
    checker *k = q->k;
    smt_ctx *ctx = k->ctx;
    smt_t start = order_held(ctx, 9);
    smt_t above = smt_and(ctx, order_initial(k, &q->of_b.look, start, &q->assumed),
                          smt_lt(ctx, of_e->ticket.app, start));
    return order_refuted_with(k, conjuncts, above, "sync-turn-initial");
}

/* Is the write, which happens at L as the conjuncts say, a hand-over? */
static bool is_hand_over(turn_question *q, query conjuncts, const order_event *w, bool adds,
                         turn *of_w)
{
    checker *k = q->k;
    smt_ctx *ctx = k->ctx;
    if (!find_turn(k, conjuncts, w, &q->of_b.look, 0, of_w))
        return false;
    smt_t good = smt_and(ctx, order_exactly(k, w, &q->of_b.look),
                         order_exactly(k, &of_w->ticket, &q->of_b.ticket));
    good = smt_and(ctx, good, order_token_before(k, &of_w->look, w));
    if (!adds) {
        smt_t next = smt_add(ctx, of_w->ticket.app, smt_int_const(ctx, 1));
        good = smt_and(ctx, good, smt_eq(ctx, order_term(k, w, w->access->put), next));
    }
    return order_refuted_with(k, conjuncts, smt_not(ctx, good), "sync-turn-next") &&
           (!adds || starts_below(q, conjuncts, of_w));
}

/* Is there at most one hand-over that adds for each ticket, by these two ops? */
static bool once_a_ticket(turn_question *q, const hand_over *v, const hand_over *w)
{
    checker *k = q->k;
    order_event x = order_event_of(k, v->access, 2), y = order_event_of(k, w->access, 3);
    turn of_x, of_y;
    query first = with_event(q, q->p->both, &x), both = with_event(q, first, &y);
    smt_t two = smt_not(k->ctx, order_same_event(k, &x, &y));
    query second = with_event(q, q->p->both, &y);
    return find_turn(k, first, &x, &q->of_b.look, 0, &of_x) && of_x.which == v->which &&
           find_turn(k, second, &y, &q->of_b.look, 0, &of_y) && of_y.which == w->which &&
           order_refuted_with(k, both,
                              smt_and(k->ctx, two, order_same_event(k, &of_x.ticket, &of_y.ticket)),
                              "sync-turn-once");
}

/* Do (1) and (2) hold for one op? *hands_over: it may write L, and *which is the choice of its
 * ticket and look. */
static bool write_is_safe(turn_question *q, const ix_access *access, bool *hands_over,
                          size_t *which)
{
    checker *k = q->k;
    const ix_access *look = q->of_b.look.access;
    order_event w = order_event_of(k, access, 2);
    query all = with_event(q, q->p->both, &w);
    bool adds = false, never = order_refuted(k, all, "sync-turn-elsewhere"), good = never;
    turn of_w;
    *hands_over = false;
    if (!never && leaves_value(k, access, look)) {
        smt_t partly = smt_not(k->ctx, order_exactly(k, &w, &q->of_b.look));
        good = order_refuted_with(k, all, partly, "sync-turn-whole");
    } else if (!never && may_hand_over(k, access, look, &adds)) {
        good = is_hand_over(q, all, &w, adds, &of_w) &&
               comes_before(q, all, &q->p->a, &q->of_a, &w, &of_w) &&
               comes_before(q, all, &q->p->b, &q->of_b, &w, &of_w);
        *which = good ? of_w.which : 0;
        *hands_over = true;
        q->release = access;
        q->adds |= adds;
        q->stores |= !adds;
    }
    return good && !(q->adds && q->stores);
}

static bool all_writes_are_safe(turn_question *q)
{
    const summary *s = q->k->s;
    hand_over *hand_overs = NULL;
    bool good = true;
    for (size_t i = 0; i < arrlenu(s->accesses) && good; i++) {
        const ix_access *w = &s->accesses[i];
        bool hands_over = false;
        size_t which = 0;
        if (w->writes && order_may_share(w, q->of_b.look.access))
            good = write_is_safe(q, w, &hands_over, &which);
        if (hands_over)
            arrput(hand_overs, ((hand_over){w, which}));
    }
    for (size_t i = 0; i < arrlenu(hand_overs) && good && q->adds; i++)
        for (size_t j = i; j < arrlenu(hand_overs) && good; j++)
            good = once_a_ticket(q, &hand_overs[i], &hand_overs[j]);
    good = good && arrlenu(hand_overs) > 0;
    arrfree(hand_overs);
    return good;
}

/* Are both looks at L, and the tickets two of one element? */
static bool take_turns(turn_question *q)
{
    checker *k = q->k;
    smt_ctx *ctx = k->ctx;
    const turn *a = &q->of_a, *b = &q->of_b;
    smt_t two = smt_not(ctx, order_same_event(k, &a->ticket, &b->ticket));
    smt_t good = smt_and(ctx, order_exactly(k, &a->look, &b->look),
                         smt_and(ctx, two, order_exactly(k, &a->ticket, &b->ticket)));
    return a->look.access->allocation == b->look.access->allocation &&
           order_strong(a->look.access, b->look.access) &&
           order_refuted_with(k, q->p->both, smt_not(ctx, good), "sync-turn-two");
}

/* Proves the order at the location where a is in turn by that ticket and look. */
static bool orders_there(turn_question *q)
{
    order_pair *p = q->p;
    q->adds = q->stores = q->assumed = false;
    return find_turn(q->k, p->both, &p->b, &q->of_a.look, 0, &q->of_b) && take_turns(q) &&
           starts_below(q, p->both, &q->of_a) && starts_below(q, p->both, &q->of_b) &&
           all_writes_are_safe(q);
}

/* ---- Section: words that no launch resets ---- */

/* The argument whose element the access goes to, the same one at every launch; false: it may be
 * another, or another argument points into its buffer too. */
static bool fixed_word(const checker *k, const ix_access *a, size_t *arg, smt_int *element)
{
    const summary *s = k->s;
    smt_int bytes;
    if (a->unknown || a->allocation < 0 || s->allocations[a->allocation].space != IX_ARGUMENT)
        return false;
    const char *buffer = s->allocations[a->allocation].name;
    size_t found = 0;
    for (size_t i = 0; i < k->contract->n_args; i++)
        if (k->contract->args[i].kind == CONTRACT_POINTER &&
            strcmp(contract_buffer_of(&k->contract->args[i]), buffer) == 0) {
            *arg = i;
            found++;
        }
    if (found != 1 || !s->arg_bytes[*arg] ||
        !smt_is_const(smt_sub(k->ctx, a->bytes, s->arg_bytes[*arg]), &bytes))
        return false;
    const ir_type *elem = k->kernel->body->args[*arg]->type->elem->elem;
    *element = bytes / a->width;
    return ir_type_is_int(elem) && ir_type_bytes(elem) == a->width && bytes >= 0 &&
           bytes % a->width == 0;
}

static void remember_words(checker *k, const turn *t)
{
    order_state *state = order_state_of(k);
    order_turn_words words;
    if (!fixed_word(k, t->ticket.access, &words.ticket_arg, &words.ticket) ||
        !fixed_word(k, t->look.access, &words.look_arg, &words.look)) {
        state->other_turns = true;
        return;
    }
    for (size_t i = 0; i < state->n_turns; i++) {
        const order_turn_words *known = &state->turns[i];
        if (known->ticket_arg == words.ticket_arg && known->ticket == words.ticket &&
            known->look_arg == words.look_arg && known->look == words.look)
            return;
    }
    if (state->n_turns == ORDER_MOST_TURNS)
        state->other_turns = true;
    else
        state->turns[state->n_turns++] = words;
}

/* The access goes to exactly that element of the argument's buffer; NULL: of another one. */
static smt_t goes_to(checker *k, const order_event *e, size_t arg, smt_int element)
{
    const ix_access *a = e->access;
    const char *buffer = contract_buffer_of(&k->contract->args[arg]);
    if (strcmp(k->s->allocations[a->allocation].name, buffer) != 0)
        return NULL;
    smt_t at = smt_add(k->ctx, k->s->arg_bytes[arg], smt_int_const(k->ctx, element * a->width));
    return smt_eq(k->ctx, order_term(k, e, a->bytes), at);
}

static bool draws(checker *k, const ix_access *w)
{
    order_draw draw;
    return order_draw_of(k, w, &draw) && draw.read == w && !draw.amount && draw.by > 0;
}

/* Has the turn happened, and drawn its ticket from the lock's word? */
static bool is_of_lock(checker *k, query conjuncts, const order_event *ticket,
                       const order_turn_words *lock)
{
    smt_t there =
        ticket->access->allocation >= 0 ? goes_to(k, ticket, lock->ticket_arg, lock->ticket) : NULL;
    return there &&
           order_refuted_with(k, conjuncts,
                              smt_not(k->ctx, smt_and(k->ctx, there, order_happens(k, ticket))),
                              "sync-kept-ticket");
}

/* Does the store into L put a ticket of T plus 1 there? */
static bool puts_next(checker *k, query conjuncts, const order_event *w,
                      const order_turn_words *lock)
{
    smt_ctx *ctx = k->ctx;
    order_event *values = order_values_behind(k, w->access, w->copy);
    bool good = false;
    for (size_t i = 0; i < arrlenu(values) && !good; i++) {
        if (!is_ticket(k, &values[i], w->access->width) ||
            !is_of_lock(k, conjuncts, &values[i], lock))
            continue;
        smt_t next = smt_add(ctx, values[i].app, smt_int_const(ctx, 1));
        good = order_refuted_with(k, conjuncts, smt_ne(ctx, order_term(k, w, w->access->put), next),
                                  "sync-kept-next");
    }
    arrfree(values);
    return good;
}

/* Finds the turn of an addition to L: its ticket of T, and its look at L. */
static bool turn_of_lock(checker *k, query conjuncts, const order_event *w,
                         const order_turn_words *lock, turn *found)
{
    for (size_t i = 0; find_turn(k, conjuncts, w, NULL, i, found); i++) {
        if (!is_of_lock(k, conjuncts, &found->ticket, lock))
            continue;
        smt_t there = goes_to(k, &found->look, lock->look_arg, lock->look);
        smt_t before = order_token_before(k, &found->look, w);
        if (there &&
            order_refuted_with(k, conjuncts, smt_not(k->ctx, smt_and(k->ctx, there, before)),
                               "sync-kept-look"))
            return true;
    }
    return false;
}

/* The others, and the conditions under which the write touches L. */
static query at_look(checker *k, query others, const order_event *w, const order_turn_words *lock)
{
    order_add_event(k, &others, w);
    smt_t there = goes_to(k, w, lock->look_arg, lock->look);
    return query_with(k, others, there ? there : smt_bool_const(k->ctx, false));
}

/* Do two additions to L, by these operations, never belong to one ticket? */
static bool add_once_a_ticket(checker *k, const ix_access *v, const ix_access *w,
                              const order_turn_words *lock)
{
    order_event x = order_event_of(k, v, 0), y = order_event_of(k, w, 1);
    turn of_x, of_y;
    query first = at_look(k, (query){0}, &x, lock), both = at_look(k, first, &y, lock);
    smt_t two = smt_not(k->ctx, order_same_event(k, &x, &y));
    return turn_of_lock(k, both, &x, lock, &of_x) && turn_of_lock(k, both, &y, lock, &of_y) &&
           order_refuted_with(k, both,
                              smt_and(k->ctx, two, order_same_event(k, &of_x.ticket, &of_y.ticket)),
                              "sync-kept-once");
}

/* Does (2) hold for all writes of L? */
static bool look_is_kept(checker *k, const order_turn_words *lock)
{
    const summary *s = k->s;
    const ix_access **additions = NULL;
    bool good = true, stores = false;
    for (size_t i = 0; i < arrlenu(s->accesses) && good; i++) {
        const ix_access *w = &s->accesses[i];
        if (!w->writes || w->unknown || order_leaves_value(w))
            continue;
        order_event e = order_event_of(k, w, 0);
        query all = at_look(k, (query){0}, &e, lock);
        turn found;
        bool adds;
        if (order_refuted(k, all, "sync-kept-elsewhere"))
            continue;
        good = may_hand_over(k, w, w, &adds) &&
               (adds ? turn_of_lock(k, all, &e, lock, &found) : puts_next(k, all, &e, lock));
        stores |= good && !adds;
        if (good && adds)
            arrput(additions, w);
    }
    good = good && !(stores && arrlenu(additions));
    for (size_t i = 0; i < arrlenu(additions) && good; i++)
        for (size_t j = i; j < arrlenu(additions) && good; j++)
            good = add_once_a_ticket(k, additions[i], additions[j], lock);
    arrfree(additions);
    return good;
}

static bool speaks_of_buffer(const checker *k, const ix_access *w, const order_turn_words *locks,
                             size_t n)
{
    if (w->unknown || w->allocation < 0)
        return true;
    for (size_t i = 0; i < n; i++) {
        const char *name = k->s->allocations[w->allocation].name;
        if (strcmp(name, contract_buffer_of(&k->contract->args[locks[i].ticket_arg])) == 0 ||
            strcmp(name, contract_buffer_of(&k->contract->args[locks[i].look_arg])) == 0)
            return true;
    }
    return false;
}

/* Does every event of the write go to a word of one of the locks, and draw where it goes to T? */
static bool goes_to_locks(checker *k, const ix_access *w, const order_turn_words *locks, size_t n)
{
    smt_ctx *ctx = k->ctx;
    if (w->unknown || w->allocation < 0)
        return false;
    order_event e = order_event_of(k, w, 0);
    query all = order_of_event(k, &e);
    smt_t none = smt_bool_const(ctx, true);
    for (size_t i = 0; i < n; i++) {
        smt_t ticket = goes_to(k, &e, locks[i].ticket_arg, locks[i].ticket);
        smt_t look = goes_to(k, &e, locks[i].look_arg, locks[i].look);
        none = ticket ? smt_and(ctx, none, smt_not(ctx, ticket)) : none;
        none = look ? smt_and(ctx, none, smt_not(ctx, look)) : none;
        if (ticket && !draws(k, w) && !order_refuted_with(k, all, ticket, "sync-kept-draw"))
            return false;
    }
    return order_refuted_with(k, all, none, "sync-kept-words");
}

bool order_turns_are_kept(checker *k, const order_turn_words *locks, size_t n)
{
    bool good = true;
    for (size_t i = 0; i < arrlenu(k->s->accesses) && good; i++) {
        const ix_access *w = &k->s->accesses[i];
        if (w->writes && speaks_of_buffer(k, w, locks, n) && (w->unknown || !order_leaves_value(w)))
            good = goes_to_locks(k, w, locks, n);
    }
    for (size_t i = 0; i < n && good; i++)
        good = look_is_kept(k, &locks[i]);
    return good;
}

bool order_by_turn(order_pair *p)
{
    checker *k = p->k;
    turn_question q = {.k = k, .p = p};
    bool ordered = false;
    for (size_t i = 0; !ordered && find_turn(k, p->both, &p->a, NULL, i, &q.of_a); i++)
        ordered = orders_there(&q);
    if (!ordered)
        return false;
    order_state_of(k)->release = q.release;
    order_state_of(k)->acquire = q.of_b.look.access;
    if (q.assumed)
        order_rests_on_cleared(k, q.of_b.look.access);
    remember_words(k, &q.of_b);
    order_rests_on_choice(k, TRUST_UPDATES);
    return true;
}

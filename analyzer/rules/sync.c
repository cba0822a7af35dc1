/* Does synchronisation order two blocks' accesses? Every lemma is tried, with every value that
 * steers the one or the other. */
#include "rules/sync.h"

#include "base/ds.h"

#include <string.h>

/* What is known of each access. */
static signed char *by_access(checker *k)
{
    return TR_NEW_ARRAY(k->arena, signed char, arrlenu(k->s->accesses) + 1);
}

sync_state *sync_state_of(checker *k)
{
    if (k->sync)
        return k->sync;
    k->sync = TR_NEW(k->arena, sync_state);
    *k->sync = (sync_state){
        .tickets = by_access(k),
        .drawn = by_access(k),
        .claims = by_access(k),
        .phased = by_access(k),
        .shared = by_access(k),
    };
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        k->sync->any_reads |= a->reads && a->ordering != IR_WEAK;
    }
    return k->sync;
}

void sync_ask_anew(checker *k)
{
    sync_state *state = k->sync;
    signed char *known[] = {state->tickets, state->drawn, state->claims, state->phased,
                            state->shared};
    for (size_t i = 0; i < TR_COUNT(known); i++)
        memset(known[i], 0, arrlenu(k->s->accesses));
    state->n_locks = state->n_memos = 0;
}

void sync_trust(checker *k, const char *choice)
{
    kernel_report *r = k->report;
    for (size_t i = 0; i < r->n_inferred; i++)
        if (strcmp(r->inferred[i], choice) == 0)
            return;
    const char **more = TR_NEW_ARRAY(k->arena, const char *, r->n_inferred + 1);
    for (size_t i = 0; i < r->n_inferred; i++)
        more[i] = r->inferred[i];
    more[r->n_inferred++] = choice;
    r->inferred = more;
}

sync_pair sync_pair_of(checker *k, const ix_access *a, const ix_access *b)
{
    sync_pair p = {.k = k, .a = sync_event_of(k, a, 0), .b = sync_event_of(k, b, 1)};
    sync_add_event(k, &p.both, &p.a);
    sync_add_event(k, &p.both, &p.b);
    arrput(p.both, copy_blocks_differ(k));
    arrput(p.both, copy_same_location(k, a, b, COPY_OTHER_BLOCK));
    return p;
}

/* Is the op executed whenever b is, before it, in the same iterations? */
static bool comes_first(const ix_access *q, const ix_access *b)
{
    for (const ir_op *at = b->op; at; at = at->parent->parent)
        if (at->parent == q->op->parent)
            return q->op->ordinal < at->ordinal;
    return false;
}

/* An acquire of what b's block has looked at otherwise: it may say no more than was known before.
 */
static void add_second_looks(checker *k, const ix_access *b, sync_event **values)
{
    const summary *s = k->s;
    size_t n = arrlenu(*values);
    for (size_t i = 0; i < arrlenu(s->accesses) && n; i++) {
        const ix_access *q = &s->accesses[i];
        if (!q->got || q->got->kind != SMT_APP || !sync_acquires(q) || !comes_first(q, b))
            continue;
        sync_event event = sync_event_of_value(k, q, q->got, 1);
        bool known = false, looked = false;
        for (size_t v = 0; v < n; v++) {
            known |= (*values)[v].app == event.app;
            looked |= (*values)[v].access->allocation == q->allocation;
        }
        if (looked && !known)
            arrput(*values, event);
    }
}

/* Lemmas in which a comes before what b has read of; the others say that only one of them happens.
 */
static const struct {
    sync_lemma id;
    bool (*orders)(sync_pair *p, const sync_event *read);
} lemmas[] = {{SYNC_LEMMA_FLAG, sync_by_flag},    {SYNC_LEMMA_BITS, sync_by_bits},
              {SYNC_LEMMA_COUNT, sync_by_count},  {SYNC_LEMMA_NUMBERS, sync_by_numbers},
              {SYNC_LEMMA_TAKEN, sync_by_taking}, {SYNC_LEMMA_APART, sync_by_bits_apart}};
enum { RELAYING_LEMMAS = 3 };

/* Values that steer b: reads that may have seen a release. b itself may be one. */
static bool by_what_b_read(sync_pair *p, sync_lemma *lemma)
{
    checker *k = p->k;
    sync_event *values = sync_values_behind(k, p->b.access, 1);
    const smt_t own = p->b.access->got;
    if (own && own->kind == SMT_APP)
        arrput(values, sync_event_of_value(k, p->b.access, own, 1));
    add_second_looks(k, p->b.access, &values);
    size_t n = k->sync->relaying ? RELAYING_LEMMAS : TR_COUNT(lemmas);
    bool ordered = false;
    for (size_t i = 0; i < arrlenu(values) && !ordered; i++)
        for (size_t l = 0; l < n && !ordered; l++) {
            ordered = lemmas[l].orders(p, &values[i]);
            *lemma = lemmas[l].id;
        }
    arrfree(values);
    if (!ordered && (ordered = sync_by_each(p)))
        *lemma = SYNC_LEMMA_FLAG;
    if (!ordered && (ordered = sync_by_phase(p)))
        *lemma = SYNC_LEMMA_COUNT;
    return ordered;
}

static bool is_ordered_one_way(checker *k, const ix_access *a, const ix_access *b,
                               sync_lemma *lemma)
{
    sync_pair p = sync_pair_of(k, a, b);
    bool ordered = by_what_b_read(&p, lemma);
    arrfree(p.both);
    return ordered;
}

bool sync_orders_by_wait(checker *k, const ix_access *a, const ix_access *b)
{
    sync_lemma lemma;
    return is_ordered_one_way(k, a, b, &lemma);
}

bool sync_orders_where(checker *k, const ix_access *a, const ix_access *b, smt_t where)
{
    if (!sync_state_of(k)->any_reads)
        return false;
    sync_lemma lemma;
    sync_pair p = sync_pair_of(k, a, b);
    arrput(p.both, where);
    k->sync->n_memos = 0; /* what is known is known of all events of the two, or of these */
    bool ordered = by_what_b_read(&p, &lemma);
    k->sync->n_memos = 0;
    arrfree(p.both);
    return ordered;
}

bool sync_comes_before(checker *k, const ix_access *a, const ix_access *w)
{
    static const char key[] = "before";
    sync_state *state = sync_state_of(k);
    sync_memo memo = {.a = a, .b = w, .what = key};
    if (state->relaying)
        return false;
    const sync_memo *known = sync_recall(k, &memo);
    if (known)
        return known->yes;
    const ix_access *acquire = state->acquire;
    sync_lemma lemma;
    sync_pair p = {.k = k, .a = sync_event_of(k, a, 0), .b = sync_event_of(k, w, 1)};
    sync_add_event(k, &p.both, &p.a);
    sync_add_event(k, &p.both, &p.b);
    arrput(p.both, copy_blocks_differ(k));
    state->relaying = true;
    bool before = by_what_b_read(&p, &lemma);
    state->relaying = false;
    state->acquire = acquire;
    arrfree(p.both);
    return sync_remember(k, memo, before);
}

/* ---- Section: which branch b came by decides what it has waited for ---- */

enum { MOST_CASES = 4 };

typedef struct case_search {
    checker *k;
    bool found;
} case_search;

static void look_for_read(void *user, smt_t term)
{
    case_search *s = user;
    s->found |= sync_read_of(s->k, term) != NULL || sync_universal_of(s->k, term) != NULL;
}

static bool speaks_of_waiting(checker *k, smt_t term)
{
    case_search s = {k, false};
    smt_visit(k->ctx, term, look_for_read, &s);
    return s.found;
}

static bool is_ordered_where_it_is(checker *k, const ix_access *a, const ix_access *b, smt_t this,
                                   sync_lemma *lemma)
{
    sync_pair p = sync_pair_of(k, a, b);
    arrput(p.both, copy_term(k, this, COPY_OTHER_BLOCK, 1));
    k->sync->n_memos = 0; /* what is known is known of all of b's events, or of these */
    bool ordered = by_what_b_read(&p, lemma);
    k->sync->n_memos = 0;
    arrfree(p.both);
    return ordered;
}

/* As at a barrier: the last to come goes on, and the others wait for what it tells them. */
static bool is_ordered_by_cases(checker *k, const ix_access *a, const ix_access *b,
                                sync_lemma *lemma)
{
    size_t n = b->facts->kind == SMT_AND ? b->facts->n_args : 1, tried = 0;
    for (size_t i = 0; i < n; i++) {
        smt_t fact = b->facts->kind == SMT_AND ? b->facts->args[i] : b->facts;
        if (fact->kind != SMT_OR || !speaks_of_waiting(k, fact))
            continue;
        for (uint32_t j = 0; j < fact->n_args && tried < MOST_CASES; j++) {
            smt_t one = fact->args[j];
            if (one->kind == SMT_AND)
                continue;
            tried++;
            if (is_ordered_where_it_is(k, a, b, one, lemma) &&
                is_ordered_where_it_is(k, a, b, smt_not(k->ctx, one), lemma))
                return true;
        }
    }
    return false;
}

/* ---- Section: which of the two comes first hangs on the iterations ---- */

static bool is_ordered_where(checker *k, const ix_access *a, size_t d, const ix_access *b, size_t e,
                             bool a_is_later, sync_lemma *lemma)
{
    smt_ctx *ctx = k->ctx;
    bool ordered = false;
    for (int way = 0; way < 2 && !ordered; way++) {
        sync_pair p = way ? sync_pair_of(k, b, a) : sync_pair_of(k, a, b);
        smt_t of_a = (way ? &p.b : &p.a)->counters[d], of_b = (way ? &p.a : &p.b)->counters[e];
        arrput(p.both, a_is_later ? smt_lt(ctx, of_b, of_a) : smt_le(ctx, of_a, of_b));
        k->sync->n_memos = 0; /* what is known is known of all iterations, or of these */
        ordered = by_what_b_read(&p, lemma);
        arrfree(p.both);
    }
    k->sync->n_memos = 0;
    return ordered;
}

/* As in a ring of buffers: who fills one waits for those who emptied it, and these for it. */
static bool is_ordered_by_iterations(checker *k, const ix_access *a, const ix_access *b,
                                     sync_lemma *lemma)
{
    for (size_t d = 0; d < a->n_loops; d++)
        for (size_t e = 0; e < b->n_loops; e++)
            if (is_ordered_where(k, a, d, b, e, false, lemma) &&
                is_ordered_where(k, a, d, b, e, true, lemma))
                return true;
    return false;
}

bool sync_orders(checker *k, const ix_access *a, const ix_access *b)
{
    if (!sync_state_of(k)->any_reads)
        return false;
    sync_settle_globals(k);
    sync_pair p = sync_pair_of(k, a, b);
    k->sync->release = k->sync->acquire = NULL;
    sync_lemma lemma = SYNC_LEMMA_LOCK;
    bool ordered = sync_by_lock(&p);
    if (!ordered && (ordered = sync_by_turn(&p)))
        lemma = SYNC_LEMMA_TURN;
    if (!ordered && (ordered = sync_by_semaphore(&p)))
        lemma = SYNC_LEMMA_SEMAPHORE;
    ordered = ordered || by_what_b_read(&p, &lemma);
    arrfree(p.both);
    if (!ordered && a != b)
        ordered = is_ordered_one_way(k, b, a, &lemma);
    if (!ordered) {
        lemma = SYNC_LEMMA_CHAIN;
        ordered = sync_by_chain(k, a, b);
    }
    if (!ordered)
        ordered = is_ordered_by_iterations(k, a, b, &lemma);
    if (!ordered)
        ordered = is_ordered_by_cases(k, a, b, &lemma) ||
                  (a != b && is_ordered_by_cases(k, b, a, &lemma));
    if (ordered) {
        sync_trust(k, "D18");
        sync_note(k, a, b, lemma);
    }
    return ordered;
}

/* Finds what a launch has to guarantee of the tables that a kernel looks things up in: that they
 * are long enough for every index, and that a value which is clamped to an end never reaches that
 * end. */
#include "precondition/tables.h"

#include "order/event.h"
#include "order/orders.h"
#include "order/state.h"
#include "precondition/added.h"
#include "precondition/blocks.h"
#include "precondition/fact.h"
#include "precondition/forbidden.h"
#include "precondition/life.h"
#include "precondition/lift.h"
#include "precondition/propose.h"
#include "precondition/rows.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/layout.h"
#include "question/two_events.h"

#include "base/ds.h"

#include <string.h>

typedef struct look {
    checker *k;
    smt_t path;
    require_proposal propose;
    void *search;
    smt_t bytes, found, wanted;
    struct end *ends; /* stb_ds array: what the access is masked or guarded at */
} look;

/* ---- Section: ends of masks ---- */

typedef struct end { /* "place < end" among the conditions of a mask */
    smt_t end;
    smt_t place; /* but for a number */
} end;

typedef struct ends {
    checker *k;
    end *found; /* stb_ds array */
} ends;

static void find_ends(ends *e, smt_t mask)
{
    smt_ctx *ctx = e->k->ctx;
    for (uint32_t i = 0; mask->kind == SMT_AND && i < mask->n_args; i++)
        find_ends(e, mask->args[i]);
    if (mask->kind != SMT_LE || mask->args[0]->kind != SMT_SUM)
        return;
    smt_t sum = mask->args[0], last = smt_neg(ctx, require_launch_part(e->k, sum));
    smt_t place = smt_sub(ctx, smt_add(ctx, sum, last), smt_int_const(ctx, sum->value));
    if (!smt_is_const(last, NULL))
        arrput(e->found, ((end){last, place}));
}

/* ---- Section: values looked up ---- */

/* The number that an index checked as unsigned stands for. */
static smt_t without_sign(smt_ctx *ctx, smt_t term)
{
    bool wraps = term->kind == SMT_ITE && !smt_is_bool(term) &&
                 smt_is_const(smt_sub(ctx, term->args[1], term->args[2]), NULL);
    return wraps ? term->args[2] : term;
}

/* `tile * number + coordinate < length`: the length is a number of whole tiles, or as many as a
 * swizzle goes over. */
static void propose_whole_tiles(look *l, smt_t condition)
{
    checker *k = l->k;
    smt_ctx *ctx = k->ctx;
    if (condition->kind != SMT_LE || condition->args[0]->kind != SMT_SUM)
        return;
    smt_t checked = condition->args[0], sum = smt_int_const(ctx, checked->value), tile = NULL;
    for (uint32_t i = 0; i < checked->n_args; i++)
        sum = smt_add(ctx, sum,
                      smt_scale(ctx, without_sign(ctx, checked->args[i]), checked->coefs[i]));
    smt_t length = smt_int_const(ctx, 0);
    smt_int extent = 0, low, high;
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args; i++) {
        smt_t part = sum->args[i];
        if (term_is_launch_constant(k, part)) {
            length = smt_sub(ctx, length, smt_scale(ctx, part, sum->coefs[i]));
        } else if (part->kind == SMT_VAR && sum->coefs[i] == 1 && !tile &&
                   !copy_is_block_id(k, part)) {
            tile = part;
            smt_bounds(part, &low, &high);
            extent = low == 0 && high < SMT_NO_HIGH ? high + 1 : 0;
        }
    }
    if (!tile || extent < 2 || smt_is_const(length, NULL))
        return;
    for (uint32_t i = 0; i < sum->n_args; i++)
        if (sum->args[i] != tile && !term_is_launch_constant(k, sum->args[i]) &&
            sum->coefs[i] % extent != 0)
            return;
    smt_t rest = smt_mod(ctx, length, smt_int_const(ctx, extent)), rows[REQUIRE_MOST_GUESSES];
    l->propose(l->search, PRECONDITION_IN_BOUNDS, smt_eq(ctx, rest, smt_int_const(ctx, 0)));
    size_t n = require_guess_rows(k, sum, rows);
    for (size_t i = 0; i < n; i++)
        l->propose(l->search, PRECONDITION_IN_BOUNDS,
                   smt_le(ctx, smt_scale(ctx, rows[i], extent), length));
}

/* `mask ? i : nowhere`, with a number that is the same for the launch: nowhere lies behind the end
 * that the access is masked at. A size that a front end made a number of is one where the choice
 * itself is masked there; what is left of a size is none, it is somewhere. */
static bool is_nowhere(const checker *k, smt_t choice, int side, const end *e)
{
    smt_int number;
    smt_t nowhere = choice->args[side], place = without_sign(k->ctx, e->place);
    if (smt_is_const(nowhere, &number)) /* the other side may be read as unsigned there */
        return number > 1 && place->kind == SMT_ITE && place->args[0] == choice->args[0] &&
               place->args[side] == nowhere;
    return nowhere->kind == SMT_VAR && term_is_launch_constant(k, nowhere) && e->end != nowhere;
}

static void look_at_nowhere(void *user, smt_t term)
{
    look *l = user;
    smt_ctx *ctx = l->k->ctx;
    if (term->kind != SMT_ITE || smt_is_bool(term))
        return;
    for (int side = 1; side < 3; side++)
        for (size_t i = 0; i < arrlenu(l->ends); i++)
            if (is_nowhere(l->k, term, side, &l->ends[i]))
                l->propose(l->search, PRECONDITION_IN_BOUNDS,
                           smt_le(ctx, l->ends[i].end, term->args[side]));
}

/* `i < length ? table[i] : anything`: behind the table nothing is known of the value. */
static void look_at_choice(void *user, smt_t term)
{
    look *l = user;
    checker *k = l->k;
    if (term->kind != SMT_ITE || smt_is_bool(term))
        return;
    smt_t x = term->args[1], y = term->args[2];
    bool is_min = smt_min(k->ctx, x, y) == term, is_max = smt_max(k->ctx, x, y) == term;
    if (is_min || is_max) /* a clamp is never asked not to clamp */
        return;
    if (!term_element_in(k, x))
        return;
    propose_whole_tiles(l, term->args[0]);
    smt_t fact = require_lift(k, term->args[0], l->path);
    if (fact)
        l->propose(l->search, PRECONDITION_IN_BOUNDS, fact);
}

/* A table with a stride: its elements are different ones when the stride is not 0. */
static void look_at_stride(void *user, smt_t term)
{
    look *l = user;
    int allocation = summary_contents_of(l->k->s, term, NULL);
    const ix_access *accesses = l->k->s->accesses;
    for (size_t i = 0; i < arrlenu(accesses) && allocation >= 0; i++) {
        if (accesses[i].allocation != allocation)
            continue;
        smt_t chain = require_array_chain(l->k, &accesses[i]);
        if (chain)
            l->propose(l->search, PRECONDITION_NO_SELF_OVERLAP, chain);
        return;
    }
}

/* Release `ends` with arrfree. */
static look look_at(checker *k, const ix_access *a, require_proposal propose, void *search)
{
    ends e = {.k = k};
    find_ends(&e, a->mask);
    find_ends(&e, a->path);
    return (look){.k = k,
                  .path = smt_and(k->ctx, a->path, a->facts),
                  .propose = propose,
                  .search = search,
                  .bytes = a->bytes,
                  .ends = e.found};
}

void require_look_at_nowhere(checker *k, const ix_access *a, require_proposal propose, void *search)
{
    look l = look_at(k, a, propose, search);
    smt_visit(k->ctx, a->bytes, look_at_nowhere, &l);
    arrfree(l.ends);
}

void require_look_at_tables(checker *k, const ix_access *a, require_proposal propose, void *search)
{
    look l = look_at(k, a, propose, search);
    smt_visit(k->ctx, a->bytes, look_at_choice, &l);
    smt_visit(k->ctx, a->bytes, look_at_stride, &l);
    arrfree(l.ends);
}

/* ---- Section: indices that differ ---- */

/* `i < length ? table[i] : padding` is table[i] where it is looked up at all. */
static smt_t looked_up(void *user, smt_t term)
{
    look *l = user;
    return term->kind == SMT_ITE && term->args[1] == l->wanted ? l->wanted : NULL;
}

/* Adds the conditions that speak of the element, as they are where it is looked up. */
static void add_conditions(look *l, smt_t all, query *conjuncts)
{
    if (all->kind == SMT_AND) {
        for (uint32_t i = 0; i < all->n_args; i++)
            add_conditions(l, all->args[i], conjuncts);
    } else if (smt_contains(all, l->wanted)) {
        query_add(l->k, conjuncts, smt_rewrite(l->k->ctx, all, looked_up, l));
    }
}

typedef struct other_search { /* what a condition speaks of besides the launch and the element */
    const checker *k;
    bool any;
} other_search;

static void look_for_other(void *user, smt_t term)
{
    other_search *s = user;
    bool leaf = term->kind == SMT_VAR || term->kind == SMT_APP || term->kind == SMT_BAPP;
    bool own = term == contract_value(s->k->ctx) || term == contract_index(s->k->ctx);
    bool beside =
        summary_contents_of(s->k->s, term, NULL) >= 0 && term->args[0] == contract_index(s->k->ctx);
    s->any |= leaf && !own && !beside && !term_is_launch_constant(s->k, term);
}

typedef struct beside { /* elements at one index */
    checker *k;
    smt_t index, bytes; /* `bytes`: what the address looks up itself differs together */
    bool any;
} beside;

/* The element of another table with that index, as what is stated of one element names it; also
 * where a padding stands for it behind the table's end. */
static smt_t element_beside(void *user, smt_t term)
{
    beside *b = user;
    smt_t index = contract_index(b->k->ctx);
    if (term->kind == SMT_ITE && !smt_is_bool(term))
        return element_beside(user, term->args[1]);
    int arg = summary_contents_arg(b->k->s, term);
    if (arg < 0 || term->args[0] != b->index || smt_contains(b->bytes, term) ||
        b->k->s->arg_bytes[arg] != smt_int_const(b->k->ctx, 0))
        return NULL;
    b->any = true;
    return smt_app(b->k->ctx, term->name, 1, &index, term->low, term->high);
}

/* Adds those conditions for the access to happen that are about the element, or about elements of
 * other tables with the same index: `if (keep[t]) x[slot[t]] = ...`. */
static smt_t on_element(checker *k, smt_t all, smt_t contents, smt_t bytes, smt_t when)
{
    smt_ctx *ctx = k->ctx;
    for (uint32_t i = 0; all->kind == SMT_AND && i < all->n_args; i++)
        when = on_element(k, all->args[i], contents, bytes, when);
    if (all->kind == SMT_AND)
        return when;
    smt_t value = contract_value(ctx);
    beside b = {k, contents->args[0], bytes, smt_contains(all, contents)};
    smt_t condition = smt_guess_instance(ctx, all, 1, &contents, &value);
    if (k->s->arg_bytes[summary_contents_arg(k->s, contents)] == smt_int_const(ctx, 0))
        condition = smt_rewrite(ctx, condition, element_beside, &b);
    other_search s = {k, !b.any};
    smt_visit(ctx, condition, look_for_other, &s);
    return s.any ? when : smt_and(ctx, when, condition);
}

/* `if (slot[t] >= 0)`: elements that the access is left out for may be equal. */
static smt_t kept_when(checker *k, const ix_access *a, smt_t contents)
{
    smt_t any = smt_bool_const(k->ctx, true);
    smt_t when = on_element(k, smt_and(k->ctx, a->path, a->mask), contents, a->bytes, any);
    return when == any ? NULL : when;
}

smt_t require_masked_below(checker *k, const ix_access *a, smt_t contents)
{
    smt_ctx *ctx = k->ctx;
    ends e = {.k = k};
    look l = {.k = k, .wanted = contents};
    smt_t value = contract_value(ctx), when = NULL;
    find_ends(&e, a->mask);
    for (size_t i = 0; i < 2 * arrlenu(e.found) && !when; i++) {
        smt_t in = smt_lt(ctx, contents, e.found[i / 2].end);
        if (i % 2 == 0) /* ids of padding may be negative or behind the end */
            in = smt_and(ctx, smt_le(ctx, smt_int_const(ctx, 0), contents), in);
        query conjuncts = {0};
        add_conditions(&l, a->mask, &conjuncts);
        query_add(k, &conjuncts, smt_not(ctx, in));
        if (conjuncts.n > 1 && ask_briefly(k, conjuncts, "require-masked") == SMT_UNSAT)
            when = smt_guess_instance(ctx, in, 1, &contents, &value);
    }
    arrfree(e.found);
    return when ? when : kept_when(k, a, contents);
}

static bool refuted_with(checker *k, query conjuncts, smt_t also)
{
    enum { CASE = 1500 * 1000 };
    return ask_verdict(k, query_with(k, conjuncts, also), "require-index", CASE) == SMT_UNSAT;
}

/* Is it the contents of a buffer that are stated or required to be unique? */
static bool is_unique(checker *k, smt_t app)
{
    int arg = summary_contents_arg(k->s, app);
    return arg >= 0 && arg < 64 &&
           (k->contract->args[arg].contents.unique || k->known.contents.unique >> arg & 1);
}

static void look_for_guard(void *user, smt_t term)
{
    look *l = user;
    if (term->kind == SMT_ITE && term->args[1] == l->wanted)
        l->found = term->args[0];
}

/* The condition under which the element is looked up at all. */
static smt_t guard_of(checker *k, query conjuncts, smt_t element)
{
    look l = {.k = k, .wanted = element};
    const smt_t *terms = query_terms(k->arena, conjuncts);
    for (size_t i = 0; i < conjuncts.n && !l.found; i++)
        smt_visit(k->ctx, terms[i], look_for_guard, &l);
    return l.found ? l.found : smt_bool_const(k->ctx, true);
}

smt_verdict require_ask_by_index(checker *k, query conjuncts)
{
    smt_t a = NULL, b = NULL; /* of the first two elements that the question speaks of */
    for (size_t i = 0; i < arrlenu(k->apps) && !b; i++) {
        if (!is_unique(k, k->apps[i]))
            continue;
        if (!a)
            a = k->apps[i];
        else if (strcmp(a->name, k->apps[i]->name) == 0)
            b = k->apps[i];
    }
    if (!b)
        return SMT_UNKNOWN;
    /* Each is looked up; then either they are one element, or two. */
    smt_ctx *ctx = k->ctx;
    smt_t first = guard_of(k, conjuncts, a), second = guard_of(k, conjuncts, b);
    smt_t same = smt_eq(ctx, a->args[0], b->args[0]), both = smt_and(ctx, first, second);
    return refuted_with(k, conjuncts, smt_not(ctx, first)) &&
                   refuted_with(k, conjuncts, smt_not(ctx, second)) &&
                   refuted_with(k, conjuncts, smt_and(ctx, both, smt_not(ctx, same))) &&
                   refuted_with(k, conjuncts, smt_and(ctx, both, same))
               ? SMT_UNSAT
               : SMT_UNKNOWN;
}

void require_unique(checker *k, int number, smt_t when)
{
    precondition what = precondition_of_contents(PRECONDITION_UNIQUE_CONTENTS, (size_t)number);
    what.contents.unique = true;
    what.contents.unique_when = when;
    require_add(k, what, NULL);
}

void require_unique_tuple(checker *k, int number, size_t n, const int *with)
{
    precondition what = precondition_of_contents(PRECONDITION_UNIQUE_CONTENTS, (size_t)number);
    size_t *args = TR_NEW_ARRAY(k->arena, size_t, n + 1);
    args[0] = (size_t)number;
    for (size_t i = 0; i < n; i++)
        args[i + 1] = (size_t)with[i];
    what.contents.unique = true;
    what.n_args = n + 1;
    what.args = args;
    require_add(k, what, NULL);
}

/* ---- Section: locks and flags ---- */

static bool some_launch_meets(checker *k, smt_t fact)
{
    return ask_briefly(k, query_with(k, query_of_launch(k), fact), "require-met") == SMT_SAT;
}

typedef struct blocks_in { /* what a mask speaks of besides the lanes of a tile */
    checker *k;
    const ix_access *access;
    bool any;
} blocks_in;

static void look_for_block(void *user, smt_t term)
{
    blocks_in *b = user;
    if (term->kind != SMT_VAR || !summary_private(b->k->s, term))
        return;
    for (int d = 0; d < b->access->rank; d++)
        if (term == ix_coordinate(b->k->ctx, d, b->access->tile[d]))
            return;
    b->any = true;
}

/* The conditions of a mask that leave out some blocks. One on lanes alone, `lane < n`, cuts every
 * block's tile at the end of the table: that it never does is nothing that a launch guarantees. */
static smt_t mask_of_blocks(checker *k, const ix_access *a, smt_t mask)
{
    smt_t all = smt_bool_const(k->ctx, true);
    for (uint32_t i = 0; mask->kind == SMT_AND && i < mask->n_args; i++)
        all = smt_and(k->ctx, all, mask_of_blocks(k, a, mask->args[i]));
    if (mask->kind == SMT_AND)
        return all;
    blocks_in b = {.k = k, .access = a};
    smt_visit(k->ctx, mask, look_for_block, &b);
    return b.any ? mask : all;
}

/* Accesses that synchronise are masked at the end of their table: a table that is too short leaves
 * some blocks without a lock. */
smt_t require_tables_hold(checker *k)
{
    smt_t all = smt_bool_const(k->ctx, true);
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (a->ordering == IR_WEAK || smt_is_true(a->mask))
            continue;
        smt_t fact =
            require_lift(k, mask_of_blocks(k, a, a->mask), smt_and(k->ctx, a->path, a->facts));
        if (!fact || smt_is_false(fact) || !term_is_launch_constant(k, fact) ||
            require_forces_axis(k, fact) || !some_launch_meets(k, smt_and(k->ctx, all, fact)))
            continue;
        all = smt_and(k->ctx, all, fact);
    }
    return all;
}

/* Are the words of the buffer swapped or exchanged with a memory order, while the contract says
 * nothing of them? */
static uint64_t lock_buffers(const checker *k)
{
    uint64_t args = 0;
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        int arg = a->allocation < 0 ? -1 : k->s->allocations[a->allocation].first_arg;
        bool takes = a->change == IX_CHANGE_SWAP || a->change == IX_CHANGE_PUT;
        if (a->atomic && a->ordering != IR_WEAK && a->got && takes && arg >= 0 && arg < 64 &&
            !k->contract->args[arg].contents.min && !k->contract->args[arg].contents.max)
            args |= (uint64_t)1 << arg;
    }
    return args;
}

static const contract *cleared(checker *k, uint64_t args)
{
    contract *c = tr_arena_copy(k->arena, k->contract, sizeof *k->contract);
    c->args = tr_arena_copy(k->arena, c->args, c->n_args * sizeof *c->args);
    for (size_t i = 0; i < c->n_args && i < 64; i++)
        if (args >> i & 1)
            c->args[i].contents.min = c->args[i].contents.max = smt_int_const(k->ctx, 0);
    return c;
}

static void require_clear(checker *k, uint64_t args)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        int allocation = k->s->accesses[i].allocation;
        int arg = allocation < 0 ? -1 : k->s->allocations[allocation].first_arg;
        if (arg >= 0 && arg < 64 && args >> arg & 1)
            order_rests_on_cleared(k, &k->s->accesses[i]);
    }
}

/* The facts that order by synchronisation may rest on. */
typedef struct locked {
    smt_t tables;   /* tables of locks and flags are long enough */
    smt_t chain;    /* the arrays of the two accesses do not overlap themselves */
    smt_t rows;     /* how strides and extents compare, so that one element has one lock */
    uint64_t locks; /* arguments that hold 0 at launch */
} locked;

/* The condition for one access's array; true if there is none. */
static smt_t chain_of(checker *k, const ix_access *a)
{
    smt_t any = smt_bool_const(k->ctx, true);
    smt_t chain = !a->tensor                          ? require_array_chain(k, a)
                  : layout_is_injective(k, a->tensor) ? NULL
                                                      : layout_chain(k, a->tensor);
    return !chain || smt_is_false(chain) || !term_is_launch_constant(k, chain) ||
                   require_relates_extents(k, a, a, chain)
               ? any
               : chain;
}

/* Are the two ordered with those premises? Leaves them in place when they are. */
static bool ordered_with(checker *k, const ix_access *a, const ix_access *b, const locked *p)
{
    const known_launch before = k->known;
    const contract *stated = k->contract;
    k->known.launch = smt_and(k->ctx, smt_and(k->ctx, k->known.launch, p->rows),
                              smt_and(k->ctx, p->tables, p->chain));
    k->contract = p->locks ? cleared(k, p->locks) : stated;
    k->known.sync = NULL; /* which locks there are was asked of the other launches */
    layout_forget(k);
    bool ordered = order_proves(k, a, b);
    struct order_state *learnt = k->known.sync;
    k->contract = stated;
    k->known = before;
    if (ordered)
        k->known.sync = learnt;
    return ordered;
}

static void require_premises(checker *k, const locked *p)
{
    if (p->locks) {
        require_clear(k, p->locks);
        k->contract = cleared(k, p->locks);
    }
    if (!smt_is_true(p->tables))
        require_add_fact(k, PRECONDITION_IN_BOUNDS, p->tables);
    if (!smt_is_true(p->chain))
        require_add_fact(k, PRECONDITION_NO_SELF_OVERLAP, p->chain);
    if (!smt_is_true(p->rows))
        require_add_fact(k, PRECONDITION_STRIDE_RELATION, p->rows);
    layout_forget(k);
}

bool require_order(checker *k, const ix_access *a, const ix_access *b, smt_t rows)
{
    smt_t any = smt_bool_const(k->ctx, true);
    smt_t chains = smt_and(k->ctx, chain_of(k, a), chain_of(k, b));
    locked p = {require_tables_hold(k), chains, rows, lock_buffers(k)};
    query life = require_life(k, a, b, COPY_OTHER_BLOCK, copy_blocks_differ(k));
    if (smt_is_false(p.tables) || require_admits(k, life, a, b, p.tables) == REQUIRE_FORBIDDEN)
        p.tables = any;
    if (require_admits(k, life, a, b, p.chain) == REQUIRE_FORBIDDEN)
        p.chain = any;
    if (smt_is_true(p.tables) && smt_is_true(p.chain) && smt_is_true(rows) && !p.locks)
        return false; /* nothing that was not asked before */
    if (!ordered_with(k, a, b, &p))
        return false;
    for (int part = 0; part < 3; part++) {
        locked fewer = p;
        if (part == 0)
            fewer.chain = any;
        else if (part == 1)
            fewer.tables = any;
        else
            fewer.locks = 0;
        bool same = fewer.chain == p.chain && fewer.tables == p.tables && fewer.locks == p.locks;
        if (!same && ordered_with(k, a, b, &fewer))
            p = fewer;
    }
    require_premises(k, &p);
    return true;
}

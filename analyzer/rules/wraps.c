/* Arithmetic that promises nothing and may leave its type: unsigned arithmetic, shifts, and what
 * front ends emit without a flag.
 *
 * The access summary goes on with the exact value, which is easier to reason about, and leaves a
 * hazard. Where the launch excludes it, nothing else is needed. Where the contract allows it, the
 * summary is built again with the values that the machine computes. Where the contract is silent,
 * "it does not wrap" is a launch precondition as long as the first value that wraps leaves its
 * buffer or its index space, which is an error in itself. That is not so of `bid * 65536u`: block
 * 65536 writes where block 0 does, and a bound of the grid would only excuse this race. So where
 * the bound speaks of the grid alone, machine values are tried: when two blocks then meet in a
 * launch in which every access lies in its buffer, they stay.
 *
 * Machine values are what every launch computes, so the summary that has them is always right; the
 * choice is only about how much can be proved with it. */
#include "rules/undefined.h"

#include "base/ds.h"

#include <string.h>

static smt_t failure(checker *k, const ix_hazard *h)
{
    smt_t when = smt_and(k->ctx, h->path, smt_and(k->ctx, h->facts, h->assumed));
    return smt_and(k->ctx, when, smt_not(k->ctx, h->safe));
}

/* Where machine values are asked for, only what the caller states keeps a value from wrapping: what
 * an assert in some branch has asked of the launch by now, launches that never enter it may break.
 */
static bool may_wrap(checker *k, const ix_hazard *h)
{
    smt_t fails = failure(k, h), *conjuncts = NULL;
    if (h->kind != IX_WRAP || h->undefined || smt_is_false(fails))
        return false;
    arrput(conjuncts, k->machine_values ? smt_and(k->ctx, k->s->launch, k->given) : k->launch);
    arrput(conjuncts, fails);
    bool may = ask_event(k, conjuncts, "no-wrap").verdict != SMT_UNSAT;
    arrfree(conjuncts);
    return may;
}

/* ---- Section: which of them ---- */

typedef struct grid_search {
    const checker *k;
    bool grid, stranger;
} grid_search;

static void look_for_grid(void *user, smt_t term)
{
    grid_search *s = user;
    bool is_grid = false;
    if (term->kind == SMT_APP || term->kind == SMT_BAPP)
        s->stranger = true;
    if (term->kind != SMT_VAR)
        return;
    for (int axis = 0; axis < 3; axis++)
        is_grid |= term == s->k->s->grid[axis];
    s->grid |= is_grid;
    s->stranger |= !is_grid && !summary_private(s->k->s, term);
}

/* Nothing but ids, counters, lanes and extents of the grid is in the term. */
static bool is_of_grid(const checker *k, smt_t term)
{
    grid_search s = {.k = k};
    smt_visit(k->ctx, term, look_for_grid, &s);
    return !s.stranger;
}

enum { LARGE = 300 }; /* terms; of larger ones nobody asks */

/* Does it compare something of the block's own, `i < n`, other than what a table holds there? */
static bool compares_own(const checker *k, smt_t term)
{
    bool own = term->kind == SMT_VAR && !term_is_launch_constant(k, term);
    for (uint32_t i = 0; i < term->n_args && !own && term->kind != SMT_APP; i++)
        own = term->kind != SMT_BAPP && compares_own(k, term->args[i]);
    return own;
}

/* A condition that parameters and tables alone decide: some launch takes the branch. A mask such as
 * `i < n` is none, it keeps far blocks out in the launches that are meant. */
static bool is_branch(const checker *k, smt_t condition)
{
    return !smt_is_larger(condition, LARGE) && !compares_own(k, condition);
}

/* Of a conjunction what speaks of the grid alone, where the rest are such branches; else all. */
static smt_t grid_part(const checker *k, smt_t all)
{
    smt_t kept = smt_bool_const(k->ctx, true);
    bool is_and = all->kind == SMT_AND;
    for (uint32_t i = 0; i < (is_and ? all->n_args : 1); i++) {
        smt_t part = is_and ? all->args[i] : all;
        if (is_of_grid(k, part))
            kept = smt_and(k->ctx, kept, part);
        else if (!is_branch(k, part))
            return all;
    }
    return kept;
}

/* The bound that keeps the hazard from happening speaks of the grid alone; NULL: it does not. A
 * branch of parameters or tables, `if (n > 3)`, is one that some launch takes. */
static smt_t bound_of_grid(checker *k, const ix_hazard *h)
{
    if (smt_is_larger(h->safe, LARGE) || smt_is_larger(h->path, LARGE) || !is_of_grid(k, h->safe))
        return NULL;
    smt_t bound = require_lift(k, h->safe, grid_part(k, smt_and(k->ctx, h->path, h->facts)));
    grid_search s = {.k = k};
    if (bound)
        smt_visit(k->ctx, bound, look_for_grid, &s);
    return bound && s.grid && !s.stranger ? bound : NULL;
}

/* ---- Section: values that the contract states, and that all wrap ---- */

enum { OUT_OF_TYPE = 100 * 1000 };

typedef struct element_search {
    checker *k;
    smt_t found; /* an element of a buffer whose contents the contract bounds */
} element_search;

static void look_for_stated(void *user, smt_t term)
{
    element_search *s = user;
    int arg =
        summary_contents_of(s->k->s, term, NULL) < 0 ? -1 : summary_contents_arg(s->k->s, term);
    if (arg >= 0 &&
        (s->k->contract->args[arg].contents.min || s->k->contract->args[arg].contents.max))
        s->found = term;
}

/* The value wraps for each number that the contract gives the element: 2 * t[i] of an unsigned
 * table that holds 2^31 - 1 and more. To ask that it does not would contradict the contract. */
static bool wraps_as_stated(checker *k, const ix_hazard *h)
{
    smt_ctx *ctx = k->ctx;
    element_search s = {.k = k};
    smt_visit(ctx, h->safe, look_for_stated, &s);
    const contract_arg *arg = s.found ? contents_facts_of(k, s.found) : NULL;
    if (!arg)
        return false;
    int bits = contents_bits_of(s.found);
    smt_t value = contract_value(ctx);
    smt_t number = contents_as_stated(k, &arg->contents, bits, value);
    smt_t stated = contents_stated_of(k, arg, bits, contract_index(ctx), value);
    smt_t safe = smt_guess_instance(ctx, h->safe, 1, &s.found, &number);
    return ask_never(k, smt_and(ctx, stated, safe), "wraps-as-stated", OUT_OF_TYPE) &&
           !ask_never(k, stated, "wraps-as-stated", OUT_OF_TYPE);
}

/* Marks what may wrap, and that: stated, or with a bound of the grid alone, which goes into
 * *bounds. True where there is something new. */
static bool mark(checker *k, bool stated, bool *wraps, smt_t *bounds)
{
    bool any = false;
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++) {
        const ix_hazard *h = &k->s->hazards[i];
        if (h->kind != IX_WRAP || h->undefined)
            continue;
        bool as_stated =
            k->machine_values || contract_constrains(k, h->safe) || wraps_as_stated(k, h);
        if (as_stated != stated)
            continue;
        smt_t bound = stated ? smt_bool_const(k->ctx, true) : bound_of_grid(k, h);
        if (!bound || !may_wrap(k, h))
            continue;
        *bounds = smt_and(k->ctx, *bounds, bound);
        any |= !wraps[h->op->ordinal];
        wraps[h->op->ordinal] = true;
    }
    return any;
}

/* ---- Section: another summary ---- */

void summary_take(checker *k, summary *s)
{
    for (size_t i = 0; i < arrlenu(k->replaced); i++)
        if (k->replaced[i] == s) { /* one that was tried is taken back */
            arrdel(k->replaced, i);
            break;
        }
    arrput(k->replaced, k->s);
    k->s = s;
    k->presumed = NULL;
    layout_forget(k);
    enumerate_again(k);
}

static summary *build(checker *k, const bool *wraps)
{
    return summary_build_doubting(k->arena, k->ctx, k->kernel, k->contract, wraps);
}

enum { ROUNDS = 4 }; /* what comes after a value that wraps may wrap too */

/* ---- Section: do machine values meet? ---- */

/* The same in both summaries: no wrap has a part in it. */
static bool is_unchanged(const ix_access *a, const ix_access *exact)
{
    return a->bytes == exact->bytes && a->path == exact->path && a->mask == exact->mask;
}

static bool is_simple(checker *k, const ix_access *a)
{
    return !a->unknown && !a->tensor && !a->region && is_of_grid(k, a->bytes) &&
           is_of_grid(k, grid_part(k, a->path)) && is_of_grid(k, grid_part(k, a->mask));
}

static bool is_guarded(const checker *k, const ix_access *a)
{
    return !is_of_grid(k, a->path) || !is_of_grid(k, a->mask);
}

/* One tile block of a launch of one axis, in the first iteration of its loops. */
typedef struct place {
    const checker *k;
    int axis;
    int64_t id;
    bool last_element; /* of its tile, or the first one */
    bool any_guard;    /* conditions on parameters and tables count as met */
} place;

static bool value_at(void *user, smt_t variable, size_t n_args, const smt_int *args, smt_int *value)
{
    const place *p = user;
    (void)n_args;
    (void)args;
    if (variable->kind != SMT_VAR)
        return false;
    *value = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (variable == p->k->s->block_id[axis])
            *value = axis == p->axis ? p->id : 0;
        if (variable == p->k->s->grid[axis])
            return false; /* how many blocks there are is not known yet */
    }
    return true;
}

/* The first byte of an element that the access touches there; false where it does not happen, or
 * where that is not known. */
static bool address_at(const ix_access *a, place *p, smt_int *bytes)
{
    smt_int happens[2];
    smt_t path = p->any_guard ? grid_part(p->k, a->path) : a->path;
    smt_t mask = p->any_guard ? grid_part(p->k, a->mask) : a->mask;
    smt_t terms[2] = {path, mask}, from[IR_MAX_RANK], to[IR_MAX_RANK], bytes_there = a->bytes;
    size_t n = 0;
    for (int d = 0; p->last_element && d < a->rank; d++)
        if (a->tile[d] > 1) {
            from[n] = ix_coordinate(p->k->ctx, d, a->tile[d]);
            to[n++] = smt_int_const(p->k->ctx, a->tile[d] - 1);
        }
    for (int i = 0; i < 2; i++)
        if (!smt_eval(smt_substitute(p->k->ctx, terms[i], n, from, to), value_at, p, &happens[i]) ||
            !happens[i])
            return false;
    bytes_there = smt_substitute(p->k->ctx, bytes_there, n, from, to);
    return smt_eval(bytes_there, value_at, p, bytes);
}

/* Does block `id` touch something in front of a buffer, if `taken` happens? */
static bool leaves_buffer(const checker *k, const ix_access *taken, int axis, int64_t id)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        for (int last = 0; last < 2 && !a->unknown; last++) {
            place p = {k, axis, id, last, a == taken};
            smt_int bytes;
            if (address_at(a, &p, &bytes) && bytes < 0)
                return true;
        }
    }
    return false;
}

/* The least number of blocks on the axis that breaks the bound; 0: none does. */
static int64_t first_beyond(const checker *k, smt_t bound, int axis)
{
    smt_t from[3], to[3], held;
    int64_t low = 1, high = (int64_t)1 << 24; /* low keeps it, high breaks it */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        size_t n = 0;
        for (int other = 0; other < 3; other++)
            if (!smt_is_const(k->s->grid[other], NULL)) {
                from[n] = k->s->grid[other];
                to[n++] = smt_int_const(k->ctx, other == axis ? middle : 1);
            }
        smt_t within;
        held = smt_instantiate(k->ctx, bound, n, from, to, &within);
        *(smt_is_false(held) ? &high : &low) = middle;
    }
    return high == (int64_t)1 << 24 ? 0 : high;
}

typedef struct address {
    smt_int key;
    int64_t value; /* the first block that goes there */
} address;

enum { SCANNED = 70 * 1000 };

/* The first block that goes where a block before it goes, by values that wrap; false: there is none
 * among those looked at, or one before it leaves its buffer. */
static bool first_meeting(checker *k, const ix_access *a, int axis, int64_t beyond, int64_t *i,
                          int64_t *j)
{
    address *seen = NULL;
    smt_int bytes;
    bool found = false, leaves = false;
    /* The values beyond the type are those of the blocks from there on, and begin again at twice
     * as many. */
    const int64_t later[] = {beyond - 1, 2 * (beyond - 1), 2 * beyond - 1};
    for (int64_t n = 0; n < SCANNED + (int64_t)TR_COUNT(later) && !found && !leaves; n++) {
        int64_t id = n < SCANNED ? n : later[n - SCANNED];
        place p = {k, axis, id, false, true};
        if (id >= k->s->block_id[axis]->high || (n >= SCANNED && id < SCANNED))
            continue;
        leaves = id + 1 >= beyond && leaves_buffer(k, a, axis, id);
        if (leaves || !address_at(a, &p, &bytes))
            continue;
        ptrdiff_t at = hmgeti(seen, bytes);
        found = at >= 0 && id + 1 >= beyond;
        if (found) {
            *i = seen[at].value;
            *j = id;
        } else if (at < 0) {
            hmput(seen, bytes, id);
        }
    }
    hmfree(seen);
    return found;
}

/* Both blocks of the meeting go to one place: is there such a launch, by terms alone? */
static smt_answer ask_meeting(checker *k, const wrap_meeting *met, const ix_access *a,
                              const ix_access *b)
{
    smt_t *conjuncts = NULL;
    copy_add_pair(k, &conjuncts, a, b, COPY_OTHER_BLOCK);
    arrput(conjuncts, pair_in_conflict(k, a, b, COPY_OTHER_BLOCK));
    for (int copy = 0; copy < 2; copy++)
        for (int axis = 0; axis < 3; axis++) {
            smt_t id = copy_term(k, k->s->block_id[axis], COPY_OTHER_BLOCK, copy);
            int64_t there = axis != met->axis ? 0 : copy ? met->j : met->i;
            smt_t number = smt_int_const(k->ctx, there);
            arrput(conjuncts, smt_eq(k->ctx, id, number));
            if (copy && !smt_is_const(k->s->grid[axis], NULL))
                arrput(conjuncts,
                       smt_le(k->ctx, k->s->grid[axis], smt_int_const(k->ctx, there + 1)));
        }
    smt_answer answer = ask_for(k, conjuncts, "wrap-meets", ASK_BRIEF);
    arrfree(conjuncts);
    return answer;
}

witness *wraps_witness(checker *k, const ix_access *a, const ix_access *b)
{
    for (size_t m = 0; m < arrlenu(k->meetings) && a == b; m++) {
        const char *why;
        witness *w = NULL;
        if (k->meetings[m].op != a->op)
            continue;
        smt_answer answer = ask_meeting(k, &k->meetings[m], a, b);
        if (answer.verdict == SMT_SAT)
            w = witness_of_race(k, answer.model, a, b, COPY_OTHER_BLOCK, &why);
        if (w)
            return w;
    }
    return NULL;
}

typedef struct own_search {
    const checker *k;
    bool found;
} own_search;

static void look_for_own(void *user, smt_t term)
{
    own_search *s = user;
    s->found |= term->kind == SMT_BAPP ||
                (term->kind == SMT_APP && summary_contents_of(s->k->s, term, NULL) < 0);
}

/* A condition on a value that no model tells, such as a float: a replay that shows no race may only
 * lack the value. */
static bool is_open(const checker *k, const ix_access *a)
{
    own_search s = {.k = k};
    smt_visit(k->ctx, a->path, look_for_own, &s);
    smt_visit(k->ctx, a->mask, look_for_own, &s);
    return s.found;
}

/* Does a launch lead both blocks there? */
static bool is_reached(checker *k, const wrap_meeting *met, const ix_access *a)
{
    return !is_guarded(k, a) || wraps_witness(k, a, a) ||
           (is_open(k, a) && ask_meeting(k, met, a, a).verdict != SMT_UNSAT);
}

/* Two blocks of a launch beyond the bounds meet, by a value that wraps. */
static bool any_meet(checker *k, const summary *exact, smt_t bound)
{
    size_t n = arrlenu(k->s->accesses);
    bool any = false;
    for (size_t x = 0; x < n && n == arrlenu(exact->accesses); x++) {
        const ix_access *a = &k->s->accesses[x];
        if (!a->writes || a->atomic || !is_simple(k, a) || is_unchanged(a, &exact->accesses[x]))
            continue;
        for (int axis = 0; axis < 3; axis++) {
            int64_t i, j, beyond = first_beyond(k, bound, axis);
            if (!beyond || !smt_contains(a->bytes, k->s->block_id[axis]) ||
                !first_meeting(k, a, axis, beyond, &i, &j))
                continue;
            arrput(k->meetings, ((wrap_meeting){a->op, axis, i, j}));
            if (!is_reached(k, &arrlast(k->meetings), a)) {
                (void)arrpop(k->meetings);
                continue;
            }
            any = true;
            break;
        }
    }
    return any;
}

/* ---- Section: both ---- */

static void follow_stated(checker *k, bool *wraps)
{
    smt_t ignored = smt_bool_const(k->ctx, true);
    for (int round = 0; round < ROUNDS && mark(k, true, wraps, &ignored); round++)
        summary_take(k, build(k, wraps));
}

static void try_beyond_grid(checker *k, bool *wraps)
{
    smt_t bounds = smt_bool_const(k->ctx, true);
    bool *tried = tr_arena_copy(k->arena, wraps, (k->kernel->n_ops + 1) * sizeof *wraps);
    summary *exact = k->s;
    for (int round = 0; round < ROUNDS && mark(k, false, tried, &bounds); round++)
        summary_take(k, build(k, tried));
    if (k->s == exact)
        return;
    if (any_meet(k, exact, bounds))
        memcpy(wraps, tried, (k->kernel->n_ops + 1) * sizeof *wraps);
    else
        summary_take(k, exact);
}

void follow_wraps(checker *k)
{
    bool *wraps = TR_NEW_ARRAY(k->arena, bool, k->kernel->n_ops + 1);
    follow_stated(k, wraps);
    try_beyond_grid(k, wraps);
    k->doubted = wraps;
}

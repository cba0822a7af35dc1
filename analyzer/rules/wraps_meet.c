/* Whether tile blocks meet by values that wrap: `bid * 65536u` is 0 in block 0 and in block 65536.
 *
 * Such blocks lie too far apart for a solver that looks for small launches, so they are looked for
 * here: by trying blocks one after the other where the grid alone decides the address, else by the
 * distance at which values begin again. wraps.c asks; what is found is replayed by
 * wraps_witness. */
#include "rules/wraps_meet.h"

#include "order/event.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/layout.h"
#include "question/two_events.h"
#include "rules/pair.h"
#include "rules/wraps.h"
#include "witness/replay.h"

#include "base/ds.h"

/* ---- Section: do machine values meet? ---- */

/* Is the access the same in both summaries? Then no wrap has a part in it. */
static bool is_unchanged(const ix_access *a, const ix_access *exact)
{
    return a->bytes == exact->bytes && a->path == exact->path && a->mask == exact->mask;
}

static bool is_simple(checker *k, const ix_access *a)
{
    return !a->unknown && !a->tensor && !a->region && wraps_is_of_grid(k, a->bytes) &&
           wraps_is_of_grid(k, wraps_grid_part(k, a->path)) &&
           wraps_is_of_grid(k, wraps_grid_part(k, a->mask));
}

static bool is_guarded(const checker *k, const ix_access *a)
{
    return !wraps_is_of_grid(k, a->path) || !wraps_is_of_grid(k, a->mask);
}

typedef struct touch { /* of one element of an access, in any block: made once for all of them */
    const ix_access *a;
    smt_t path, mask, bytes;
    bool last_element, any_guard; /* as of wraps_place */
} touch;

static touch touch_of(const checker *k, const ix_access *a, bool last_element, bool any_guard)
{
    smt_t from[IR_MAX_RANK], to[IR_MAX_RANK];
    smt_t path = any_guard ? wraps_grid_part(k, a->path) : a->path;
    smt_t mask = any_guard ? wraps_grid_part(k, a->mask) : a->mask;
    size_t n = 0;
    for (int d = 0; last_element && d < a->rank; d++)
        if (a->tile[d] > 1) {
            from[n] = ix_coordinate(k->ctx, d, a->tile[d]);
            to[n++] = smt_int_const(k->ctx, a->tile[d] - 1);
        }
    return (touch){.a = a,
                   .path = smt_substitute(k->ctx, path, n, from, to),
                   .mask = smt_substitute(k->ctx, mask, n, from, to),
                   .bytes = smt_substitute(k->ctx, a->bytes, n, from, to),
                   .last_element = last_element,
                   .any_guard = any_guard};
}

/* The first byte of the element in block `id`; false where the access does not happen, or where
 * that is not known. */
static bool address_at(const checker *k, const touch *t, int axis, int64_t id, smt_int *bytes)
{
    wraps_place p = {k, axis, id, t->last_element, t->any_guard, false};
    smt_int happens;
    return smt_eval(t->path, wraps_value_at, &p, &happens) && happens &&
           smt_eval(t->mask, wraps_value_at, &p, &happens) && happens &&
           smt_eval(t->bytes, wraps_value_at, &p, bytes);
}

/* The bytes that the contract leaves the buffer at most. */
static smt_int end_of(const checker *k, const ix_access *a)
{
    smt_t elements = a->arg < 0 ? NULL : k->contract->args[a->arg].elements;
    smt_int low, high, end;
    if (!elements)
        return SMT_NO_HIGH;
    smt_bounds(elements, &low, &high);
    int bytes = ir_type_bytes(k->kernel->body->args[a->arg]->type->elem->elem);
    return __builtin_mul_overflow(high, bytes, &end) ? SMT_NO_HIGH : end;
}

static bool may_leave(const checker *k, const ix_access *a)
{
    smt_int low, high;
    if (a->unknown)
        return false;
    smt_bounds(a->bytes, &low, &high);
    return low < 0 || high >= end_of(k, a);
}

/* Returns what may lie in front of a buffer or behind it, if `taken` of these accesses happens. A
 * stb_ds array. */
static touch *touches_that_may_leave(const checker *k, const ix_access *accesses,
                                     const ir_op *taken)
{
    touch *touches = NULL;
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        for (int last = 0; last < 2 && may_leave(k, &accesses[i]); last++)
            arrput(touches, touch_of(k, &accesses[i], last, accesses[i].op == taken));
    return touches;
}

/* Does block `id` touch one of those there? */
static bool leaves_buffer(const checker *k, const touch *touches, int axis, int64_t id)
{
    smt_int bytes;
    for (size_t i = 0; i < arrlenu(touches); i++)
        if (address_at(k, &touches[i], axis, id, &bytes) &&
            (bytes < 0 || bytes >= end_of(k, touches[i].a)))
            return true;
    return false;
}

/* The least number of blocks on the axis that breaks the bound; 0: none does. */
static int64_t first_beyond(const checker *k, smt_t bound, int axis)
{
    smt_t from[6], to[6], held;
    int64_t low = 1, high = (int64_t)1 << 24; /* low keeps it, high breaks it */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        size_t n = 0;
        for (int other = 0; other < 3; other++) {
            smt_t extents[] = {contract_grid(k->ctx, other), k->s->grid[other]};
            for (int e = 0; e < 2; e++)
                if (!smt_is_const(extents[e], NULL) && (e == 0 || extents[1] != extents[0])) {
                    from[n] = extents[e];
                    to[n++] = smt_int_const(k->ctx, other == axis ? middle : 1);
                }
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

/* The first block that goes where a block before it goes, by values that wrap; false: there is none
 * among those looked at, or one before it leaves its buffer. */
static bool first_meeting(checker *k, const ix_access *a, int axis, int64_t beyond, int64_t *i,
                          int64_t *j)
{
    address *seen = NULL;
    const touch here = touch_of(k, a, false, true);
    touch *touches = touches_that_may_leave(k, k->s->accesses, a->op);
    smt_int bytes;
    bool found = false, leaves = false;
    /* The values beyond the type are those of the blocks from there on, and begin again at twice
     * as many. */
    const int64_t later[] = {beyond - 1, 2 * (beyond - 1), 2 * beyond - 1};
    for (int64_t n = 0; n < WRAPS_SCANNED + (int64_t)TR_COUNT(later) && !found && !leaves; n++) {
        int64_t id = n < WRAPS_SCANNED ? n : later[n - WRAPS_SCANNED];
        if (id >= k->s->block_id[axis]->high || (n >= WRAPS_SCANNED && id < WRAPS_SCANNED))
            continue;
        leaves = id + 1 >= beyond && leaves_buffer(k, touches, axis, id);
        if (leaves || !address_at(k, &here, axis, id, &bytes))
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
    arrfree(touches);
    return found;
}

/* ---- Section: launches that lead both blocks there ---- */

/* Adds that the two accesses happen in the blocks of the meeting, in a launch of no more blocks. */
static void add_blocks(checker *k, const wrap_meeting *m, bool turned, query *conjuncts)
{
    int64_t last = m->i > m->j ? m->i : m->j;
    for (int copy = 0; copy < 2; copy++)
        for (int axis = 0; axis < 3; axis++) {
            smt_t id = copy_term(k, k->s->block_id[axis], COPY_OTHER_BLOCK, copy);
            int64_t there = axis != m->axis ? 0 : (copy == 1) != turned ? m->j : m->i;
            query_add(k, conjuncts, smt_eq(k->ctx, id, smt_int_const(k->ctx, there)));
            int64_t most = axis == m->axis ? last + 1 : 1;
            if (copy && !smt_is_const(k->s->grid[axis], NULL))
                query_add(k, conjuncts,
                          smt_le(k->ctx, k->s->grid[axis], smt_int_const(k->ctx, most)));
        }
}

/* The last index that the view access has in dimension d, in blocks up to `last`; -1: not known. */
static smt_int greatest_index(const checker *k, const ix_access *a, int d, int axis, int64_t last)
{
    smt_int greatest = -1, index;
    wraps_place p = {.k = k, .axis = axis, .any_guard = true};
    for (; p.id <= last && p.id < WRAPS_SCANNED; p.id++)
        if (smt_eval(a->index[d], wraps_value_at, &p, &index) && index > greatest)
            greatest = index;
    return greatest;
}

/* An index beyond its view is undefined: the blocks between the two have theirs inside, too. */
static void add_spaces(checker *k, const wrap_meeting *m, const ix_access *a, query *conjuncts)
{
    int64_t last = m->i > m->j ? m->i : m->j;
    for (int d = 0; a->tensor && d < a->n_index; d++) {
        smt_int greatest = a->index_end[d] ? greatest_index(k, a, d, m->axis, last) : -1;
        if (greatest >= 0)
            query_add(k, conjuncts,
                      smt_lt(k->ctx, smt_int_const(k->ctx, greatest), a->index_end[d]));
    }
}

/* The term where what the meeting takes is as it is then. */
static smt_t as_taken(checker *k, const wrap_meeting *m, smt_t term)
{
    bool is_and = m->taken && m->taken->kind == SMT_AND;
    for (uint32_t i = 0; m->taken && i < (is_and ? m->taken->n_args : 1); i++)
        term = smt_assume(k->ctx, term, is_and ? m->taken->args[i] : m->taken);
    return term;
}

/* A buffer whose extent the launch decides has room for what all its blocks access. */
static void add_extent(checker *k, const wrap_meeting *m, const ix_access *a, query *conjuncts)
{
    smt_t elements = a->arg < 0 || a->unknown ? NULL : k->contract->args[a->arg].elements;
    int64_t stated = wraps_stated_blocks(k, m->axis);
    int64_t end = stated ? stated : (m->i > m->j ? m->i : m->j) + 1;
    smt_int greatest = -1, bytes;
    if (!elements || smt_is_const(elements, NULL))
        return;
    ix_access there = *a;
    there.bytes = as_taken(k, m, a->bytes);
    const touch last = touch_of(k, &there, true, true);
    for (int64_t id = 0; id < end && id < WRAPS_SCANNED; id++)
        if (address_at(k, &last, m->axis, id, &bytes) && bytes > greatest)
            greatest = bytes;
    if (greatest < 0)
        return;
    int width = ir_type_bytes(k->kernel->body->args[a->arg]->type->elem->elem);
    query_add(k, conjuncts,
              smt_lt(k->ctx, smt_int_const(k->ctx, greatest), smt_scale(k->ctx, elements, width)));
}

/* `turned`: the pair is asked about the other way round. */
static smt_answer ask_meeting(checker *k, const wrap_meeting *m, const ix_access *a,
                              const ix_access *b, bool turned)
{
    query conjuncts = {0};
    copy_add_pair(k, &conjuncts, a, b, COPY_OTHER_BLOCK);
    query_add(k, &conjuncts, pair_in_conflict(k, a, b, COPY_OTHER_BLOCK));
    add_blocks(k, m, turned, &conjuncts);
    add_spaces(k, m, a, &conjuncts);
    add_spaces(k, m, b, &conjuncts);
    add_extent(k, m, a, &conjuncts);
    if (b != a)
        add_extent(k, m, b, &conjuncts);
    for (int copy = 0; copy < 2 && m->taken; copy++)
        query_add(k, &conjuncts, copy_term(k, m->taken, COPY_OTHER_BLOCK, copy));
    return ask_for(k, conjuncts, "wrap-meets", ASK_BRIEF);
}

witness *wraps_witness(checker *k, const ix_access *a, const ix_access *b)
{
    for (size_t i = 0; i < arrlenu(k->wraps.meetings); i++) {
        const wrap_meeting *m = &k->wraps.meetings[i];
        bool turned = m->op != a->op;
        const char *why;
        witness *w = NULL;
        if (m->op != (turned ? b : a)->op || m->other != (turned ? a : b)->op)
            continue;
        smt_answer answer = ask_meeting(k, m, a, b, turned);
        if (answer.verdict == SMT_SAT)
            w = witness_of_race(k, answer.model, a, b, COPY_OTHER_BLOCK, &why);
        if (w)
            return w;
    }
    return NULL;
}

typedef struct untold_search {
    const checker *k;
    bool found;
} untold_search;

static void look_for_untold(void *user, smt_t term)
{
    untold_search *s = user;
    s->found |= term->kind == SMT_BAPP ||
                (term->kind == SMT_APP && summary_contents_of(s->k->s, term, NULL) < 0);
}

/* Is it a condition on a value that no model tells, such as a float? A replay that shows no race
 * may only lack the value. */
static bool is_untold(const checker *k, const ix_access *a)
{
    untold_search s = {.k = k};
    smt_visit(k->ctx, a->path, look_for_untold, &s);
    smt_visit(k->ctx, a->mask, look_for_untold, &s);
    return s.found;
}

/* Does a launch lead both blocks there, or cannot that be seen? Nothing is presumed of tables that
 * would keep the two apart: only elements that all differ would, and those are asked for where they
 * prove the pair. */
static bool is_reached(checker *k, const wrap_meeting *m, const ix_access *a, const ix_access *b)
{
    obligation_of before = k->deciding;
    k->deciding = (obligation_of){a, b, COPY_OTHER_BLOCK, copy_blocks_differ(k)};
    bool reached = wraps_witness(k, a, b) || ((is_untold(k, a) || is_untold(k, b)) &&
                                              ask_meeting(k, m, a, b, false).verdict != SMT_UNSAT);
    k->deciding = before;
    return reached;
}

/* Do two blocks of a launch beyond the bounds meet by one op, whose address the grid alone decides?
 */
static bool any_meet_alone(checker *k, const summary *exact, smt_t bound)
{
    size_t n = arrlenu(k->s->accesses);
    bool any = false;
    for (size_t x = 0; x < n && n == arrlenu(exact->accesses); x++) {
        const ix_access *a = &k->s->accesses[x];
        if (!a->writes || (a->atomic && order_strong(a, a)) || !is_simple(k, a) ||
            is_unchanged(a, &exact->accesses[x]))
            continue;
        for (int axis = 0; axis < 3; axis++) {
            int64_t i, j, beyond = first_beyond(k, bound, axis);
            if (!beyond || !smt_contains(a->bytes, k->s->block_id[axis]) ||
                !first_meeting(k, a, axis, beyond, &i, &j))
                continue;
            arrput(k->wraps.meetings, ((wrap_meeting){a->op, a->op, axis, i, j, NULL}));
            if (is_guarded(k, a) && !is_reached(k, &arrlast(k->wraps.meetings), a, a)) {
                (void)arrpop(k->wraps.meetings);
                continue;
            }
            any = true;
            break;
        }
    }
    return any;
}

/* ---- Section: do two ops meet, or one whose address has parameters? ----
 *
 * Where two blocks go need not be known to see that it is one place: the address is written for
 * each of the two, and both come to one term. The distance of the two is guessed from the first
 * value that wraps, and what is guessed is replayed before it counts. */

enum { NEAR_BLOCKS = 4, DISTANCES = 3, MOST_ACCESSES = 12, MOST_REPLAYS = 8 };

typedef struct own_variables {
    const checker *k;
    smt_t *found; /* stb_ds array */
} own_variables;

static void look_for_own(void *user, smt_t term)
{
    own_variables *s = user;
    if (term->kind == SMT_VAR && !term_is_launch_constant(s->k, term))
        arrput(s->found, term);
}

/* The term in block `id` of the axis, in the first iteration and element. */
static smt_t in_block(checker *k, smt_t term, int axis, int64_t id)
{
    own_variables own = {.k = k};
    smt_visit(k->ctx, term, look_for_own, &own);
    smt_t *to = TR_NEW_ARRAY(k->arena, smt_t, arrlenu(own.found) + 1);
    for (size_t i = 0; i < arrlenu(own.found); i++)
        to[i] = smt_int_const(k->ctx, own.found[i] == k->s->block_id[axis] ? id : 0);
    smt_t there = smt_guess_instance(k->ctx, term, arrlenu(own.found), own.found, to);
    arrfree(own.found);
    return there;
}

typedef struct element_search {
    const checker *k;
    smt_t *found; /* stb_ds array: elements of tables */
} element_search;

static void look_for_element(void *user, smt_t term)
{
    element_search *s = user;
    if (summary_contents_of(s->k->s, term, NULL) >= 0)
        arrput(s->found, term);
}

/* The term where all elements of tables that it looks up are 0, or as near to that as they get. */
static smt_t with_low_elements(checker *k, smt_t term)
{
    element_search s = {.k = k};
    smt_visit(k->ctx, term, look_for_element, &s);
    smt_t *to = TR_NEW_ARRAY(k->arena, smt_t, arrlenu(s.found) + 1);
    for (size_t i = 0; i < arrlenu(s.found); i++) {
        smt_int low, high;
        smt_bounds(s.found[i], &low, &high);
        to[i] = smt_int_const(k->ctx, low > 0 ? low : high < 0 ? high : 0);
    }
    smt_t there = smt_guess_instance(k->ctx, term, arrlenu(s.found), s.found, to);
    arrfree(s.found);
    return there;
}

static bool goes_to_one_place(checker *k, const wrap_meeting *m, smt_t a, smt_t b)
{
    smt_t here = in_block(k, a, m->axis, m->i), there = in_block(k, b, m->axis, m->j);
    smt_int low, high;
    smt_bounds(here, &low, &high);
    return high >= 0 &&
           (here == there || with_low_elements(k, here) == with_low_elements(k, there));
}

static bool lies_outside(checker *k, const ix_access *a, int axis, int64_t id)
{
    smt_int low, high;
    smt_bounds(in_block(k, a->bytes, axis, id), &low, &high);
    return high < 0 || low >= end_of(k, a);
}

typedef struct meeting_search { /* of two ops, in the blocks of the meeting */
    checker *k;
    wrap_meeting *m;
    size_t a, b;    /* accesses, by number */
    int64_t beyond; /* blocks of which a value wraps for the first time */
    const wraps_branches *branches;
} meeting_search;

/* Does some block leave its buffer, among those from the first that wraps to the last that the
 * launch needs? Where a side of a branch is taken, the blocks before it are looked at, too, since
 * the summary of exact values asks for both sides at once that none of them does. */
static bool leaves_before(const meeting_search *s, const ix_access *accesses, size_t which)
{
    checker *k = s->k;
    const ix_access *a = &accesses[which];
    int axis = s->m->axis;
    int64_t stated = wraps_stated_blocks(k, axis), first = s->m->taken ? 0 : s->beyond - 1;
    int64_t last = stated ? stated - 1 : s->m->i > s->m->j ? s->m->i : s->m->j;
    if (lies_outside(k, a, axis, s->beyond - 1) ||
        lies_outside(k, a, axis, (s->beyond - 1 + last) / 2))
        return true;
    touch *touches = touches_that_may_leave(k, accesses, a->op);
    bool leaves = false;
    for (int64_t id = first; id <= last && id - first < WRAPS_SCANNED && !leaves; id++)
        leaves = leaves_buffer(k, touches, axis, id);
    arrfree(touches);
    return leaves;
}

/* May the two meet on some sides of the branches from number `first` on, or on any? */
static bool may_meet_by(const meeting_search *s, size_t first, const ix_access *accesses)
{
    checker *k = s->k;
    const ix_access *a = &accesses[s->a], *b = &accesses[s->b];
    smt_t before = s->m->taken;
    size_t n = arrlenu(k->s->accesses);
    if (goes_to_one_place(k, s->m, a->bytes, b->bytes) && !leaves_before(s, accesses, s->a) &&
        !leaves_before(s, accesses, s->b))
        return true;
    for (size_t i = first; i < s->branches->n; i++)
        for (int side = 0; side < 2; side++) {
            smt_t taken = s->branches->found[i];
            ix_access *there = tr_arena_copy(k->arena, accesses, n * sizeof *accesses);
            if (side)
                taken = smt_not(k->ctx, taken);
            for (size_t x = 0; x < n; x++)
                if (!there[x].unknown)
                    there[x].bytes = smt_assume(k->ctx, there[x].bytes, taken);
            s->m->taken = before ? smt_and(k->ctx, before, taken) : taken;
            if (may_meet_by(s, i + 1, there))
                return true;
        }
    s->m->taken = before;
    return false;
}

static bool may_meet(checker *k, wrap_meeting *m, size_t x, size_t y, int64_t beyond)
{
    const ix_access *a = &k->s->accesses[x], *b = &k->s->accesses[y];
    wraps_branches branches = {.k = k};
    const meeting_search s = {k, m, x, y, beyond, &branches};
    if (smt_is_false(in_block(k, a->path, m->axis, m->i)) ||
        smt_is_false(in_block(k, b->path, m->axis, m->j)))
        return false;
    wraps_find_branches(&branches, a->bytes);
    wraps_find_branches(&branches, b->bytes);
    return may_meet_by(&s, 0, k->s->accesses);
}

/* Does a launch show blocks `distance` apart meet? Then the meeting is kept. */
static bool meet_at(checker *k, size_t x, size_t y, int axis, int64_t beyond, int64_t distance,
                    int *replays)
{
    const ix_access *a = &k->s->accesses[x], *b = &k->s->accesses[y];
    int64_t stated = wraps_stated_blocks(k, axis);
    int64_t end = stated ? stated : k->s->block_id[axis]->high;
    for (int n = 0; n < NEAR_BLOCKS + 2; n++)
        for (int turned = 0; turned < (a == b ? 1 : 2); turned++) {
            int64_t near = n < NEAR_BLOCKS ? n : (beyond - 1) << (n - NEAR_BLOCKS);
            int64_t far = near + distance;
            wrap_meeting m = {a->op, b->op, axis, turned ? far : near, turned ? near : far, NULL};
            if (far >= end || *replays == 0 || !may_meet(k, &m, x, y, beyond))
                continue;
            --*replays;
            arrput(k->wraps.meetings, m);
            if (is_reached(k, &m, a, b))
                return true;
            (void)arrpop(k->wraps.meetings);
        }
    return false;
}

/* Has the kernel accesses that acquire or release? Nothing else orders tile blocks. */
static bool synchronises(const checker *k)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        if (k->s->accesses[i].ordering != IR_WEAK && k->s->accesses[i].ordering != IR_RELAXED)
            return true;
    return false;
}

static bool has_id(const checker *k, smt_t term)
{
    bool any = false;
    for (int axis = 0; axis < 3; axis++)
        any |= smt_contains(term, k->s->block_id[axis]);
    return any;
}

/* No mask such as `i < n` keeps far blocks out: what the condition says of the block is said by the
 * grid alone. A loop that ends at a parameter says nothing of it. */
static bool is_open(const checker *k, smt_t all)
{
    for (uint32_t i = 0; i < all->n_args && all->kind == SMT_AND; i++)
        if (!is_open(k, all->args[i]))
            return false;
    return all->kind == SMT_AND || wraps_is_of_grid(k, all) || wraps_is_branch(k, all) ||
           !has_id(k, all);
}

/* An index beyond its view is no mask that keeps a block out: it is undefined. */
static bool is_kept_by_space(const ix_access *a)
{
    bool all = a->tensor && a->n_index > 0;
    for (int d = 0; d < a->n_index && all; d++)
        all = a->index_end[d];
    return all;
}

static bool is_open_access(const checker *k, const ix_access *a)
{
    return is_open(k, a->path) && (is_kept_by_space(a) || is_open(k, a->mask));
}

static bool may_race(const checker *k, const ix_access *a, const ix_access *b)
{
    return !a->unknown && !b->unknown && a->allocation == b->allocation &&
           (a->writes || b->writes) && !(a->atomic && b->atomic && order_strong(a, b)) &&
           is_open_access(k, a) && is_open_access(k, b);
}

static bool any_meet_beside(checker *k, const summary *exact, smt_t bound)
{
    size_t n = arrlenu(k->s->accesses);
    int replays = MOST_REPLAYS;
    bool any = false;
    if (n > MOST_ACCESSES || n != arrlenu(exact->accesses) || synchronises(k))
        return false;
    for (size_t x = 0; x < n; x++)
        for (size_t y = x; y < n; y++) {
            const ix_access *a = &k->s->accesses[x], *b = &k->s->accesses[y];
            bool unchanged =
                is_unchanged(a, &exact->accesses[x]) && is_unchanged(b, &exact->accesses[y]);
            bool found = unchanged || !may_race(k, a, b);
            for (int axis = 0; axis < 3 && !found; axis++) {
                int64_t beyond = first_beyond(k, bound, axis);
                for (int d = 0; d < DISTANCES && beyond && !found; d++) {
                    found = meet_at(k, x, y, axis, beyond, (beyond - 1) << d, &replays);
                    any |= found;
                }
            }
        }
    return any;
}

/* Do two blocks of a launch beyond the bounds meet, by a value that wraps? */
bool wraps_any_meet(checker *k, const summary *exact, smt_t bound)
{
    return any_meet_alone(k, exact, bound) || any_meet_beside(k, exact, bound);
}

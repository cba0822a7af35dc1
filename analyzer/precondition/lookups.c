/* Proposes what a launch might have to guarantee of numbers that a kernel looks up to address by:
 * that the elements of an index buffer differ, lie in a range, do not decrease, or are sums of
 * others. search.c has to prove that one is enough. */
#include "precondition/lookups.h"

#include "precondition/differ.h"
#include "precondition/lift.h"
#include "precondition/propose.h"
#include "precondition/signs.h"
#include "precondition/tables.h"
#include "precondition/windows.h"
#include "question/checker.h"
#include "question/contents.h"
#include "question/layout.h"
#include "question/two_events.h"

#include "base/ds.h"

static bool is_contents_of(int arg)
{
    return arg >= 0 && arg < 64;
}

static void propose_unique(candidate_search *s, int arg, smt_t when)
{
    candidate c = candidate_of(s->k->ctx, PRECONDITION_UNIQUE_CONTENTS);
    c.unique_arg = arg;
    c.when = when;
    for (size_t i = 0; i < arrlenu(s->found); i++)
        if (s->found[i].unique_arg == arg && !s->found[i].n_with && s->found[i].when == when)
            return;
    if (when ? require_kept_may_differ(s->k, arg, when) : require_may_all_differ(s->k, arg))
        arrput(s->found, c);
}

/* May uniqueness of the buffer that is looked up be asked for? */
static bool may_be_unique(const candidate_search *s, int arg)
{
    if (s->access->atomic || !is_contents_of(arg))
        return false; /* whoever updates through a table means several to meet */
    const contract_contents *known = &s->k->contract->args[arg].contents;
    return !known->unique || known->unique_when;
}

static void look_at_contents(void *user, smt_t term)
{
    candidate_search *s = user;
    int arg = summary_contents_arg(s->k->s, term);
    if (may_be_unique(s, arg))
        propose_unique(s, arg, require_masked_below(s->k, s->access, term));
}

/* `if (keep[i]) x[slot[i]]`: that the kept ones differ is less than that slots are sums of flags.
 */
static void look_at_kept(void *user, smt_t term)
{
    candidate_search *s = user;
    int arg = summary_contents_arg(s->k->s, term);
    smt_t when = may_be_unique(s, arg) ? require_masked_below(s->k, s->access, term) : NULL;
    if (when && smt_contains(when, contract_index(s->k->ctx)))
        propose_unique(s, arg, when);
}

/* The elements that an address looks up at one index in several buffers: `seq[t] * length +
 * pos[t]`. */
typedef struct lookups {
    candidate_search *s;
    smt_t apps[MAX_PLACES];
    size_t n;
} lookups;

static void look_for_lookup(void *user, smt_t term)
{
    lookups *l = user;
    int arg = summary_contents_arg(l->s->k->s, term);
    if (!is_contents_of(arg) || l->n == MAX_PLACES)
        return;
    for (size_t i = 0; i < l->n; i++)
        if (l->apps[i] == term)
            return;
    l->apps[l->n++] = term;
}

/* Is something of the block's own added to what is looked up, or the start of a row that is looked
 * up itself: `row[b] * s + place[b] % s`? */
static bool has_rows(const checker *k, smt_t sum)
{
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args; i++) {
        smt_t part = sum->args[i];
        bool is_row = part->kind == SMT_VAR && !term_is_launch_constant(k, part);
        size_t parts = part->kind == SMT_PROD ? part->n_args : 1;
        for (size_t p = 0; p < parts && !is_row; p++)
            is_row = summary_contents_arg(k->s, part->kind == SMT_PROD ? part->args[p] : part) >= 0;
        if (is_row)
            return true;
    }
    return false;
}

/* Elements on one side of where a remainder of the block's own sum turns. */
static void look_at_side(void *user, smt_t sum)
{
    candidate_search *s = user;
    lookups l = {.s = s};
    if (has_rows(s->k, sum))
        smt_visit(s->k->ctx, sum, look_for_lookup, &l);
    for (size_t i = 0; i < l.n; i++)
        require_look_at_signs(s, sum, l.apps[i]);
}

/* Tables that are looked up at the index of the first one differ as tuples, though each alone need
 * not. */
static void look_at_tuples(candidate_search *s, const ix_access *a)
{
    lookups l = {.s = s};
    smt_visit(s->k->ctx, a->bytes, look_for_lookup, &l);
    if (l.n < 2 || a->atomic)
        return;
    int *args = TR_NEW_ARRAY(s->k->arena, int, l.n), *with = args + 1;
    candidate c = candidate_of(s->k->ctx, PRECONDITION_UNIQUE_CONTENTS);
    c.unique_arg = args[0] = summary_contents_arg(s->k->s, l.apps[0]);
    for (size_t i = 1; i < l.n; i++)
        if (l.apps[i]->args[0] == l.apps[0]->args[0])
            with[c.n_with++] = summary_contents_arg(s->k->s, l.apps[i]);
    c.with = with;
    for (size_t i = 0; i < arrlenu(s->found); i++)
        if (s->found[i].unique_arg == c.unique_arg && s->found[i].n_with == c.n_with)
            return;
    if (c.n_with && require_may_differ(s->k, c.n_with + 1, args))
        arrput(s->found, c);
}

/* The first number that comes to no place in front of the buffer: 5 of `b * s + t[b] - 5`. */
static smt_int first_of(checker *k, smt_t sum, smt_t element)
{
    smt_int coef = 0;
    for (uint32_t i = 0; i < sum->n_args; i++) {
        if (term_is_launch_constant(k, sum->args[i]))
            return 0;
        if (sum->args[i] == element)
            coef = sum->coefs[i];
    }
    return coef > 0 && sum->value < 0 ? (-sum->value + coef - 1) / coef : 0;
}

/* A number that is looked up stays below the weight of another place of the sum: `page[t] * size +
 * slot[t]` names a place once where 0 <= slot[t] < size. */
static void look_at_places(void *user, smt_t sum)
{
    candidate_search *s = user;
    checker *k = s->k;
    smt_ctx *ctx = k->ctx;
    digit_place places[MAX_PLACES];
    size_t n = sum->kind == SMT_SUM ? require_places_of(k, sum, true, places) : 0;
    for (size_t j = 0; j < n; j++) {
        int arg = summary_contents_arg(k->s, places[j].variable);
        for (size_t i = 0; i < n && arg >= 0; i++) {
            smt_t times =
                i == j ? NULL : require_exact_quotient(ctx, places[i].weight, places[j].weight);
            int other = summary_contents_arg(k->s, places[i].variable);
            smt_int number;
            /* The elements must lie below what a block's own id is multiplied by: see windows.c. */
            if (!times ||
                (smt_is_const(times, &number) && (number < 2 || other < 0 || other == arg)))
                continue;
            smt_int first = first_of(k, sum, places[j].variable);
            smt_t low = smt_int_const(ctx, first);
            require_propose_range(s, arg, low, NULL, false);
            require_propose_range(s, arg, NULL, smt_add(ctx, times, smt_int_const(ctx, first - 1)),
                                  false);
        }
    }
}

/* Are the lengths sums of these offsets themselves? Two tables that are each other's sums hold 0
 * alone, and no block has anything to do. */
static bool is_sum_of(const checker *k, int lengths, int offsets)
{
    const contract_arg *args = k->contract->args;
    for (size_t i = 0; i < k->contract->n_args && is_contents_of(lengths); i++) {
        if (lengths == offsets)
            return true;
        lengths = contents_prefix_of(k, &args[lengths]);
    }
    return false;
}

typedef struct segment_search { /* something of the block's own below a length that is looked up */
    candidate_search *s;
    smt_t offset;
} segment_search;

static void look_for_length(void *user, smt_t term)
{
    segment_search *g = user;
    candidate_search *s = g->s;
    int arg = summary_contents_arg(s->k->s, term);
    int offset = summary_contents_arg(s->k->s, g->offset);
    if (!is_contents_of(arg) || is_sum_of(s->k, arg, offset) || term->args[0] != g->offset->args[0])
        return;
    candidate c = candidate_of(s->k->ctx, PRECONDITION_PREFIX_SUM);
    c.range_arg = offset;
    c.prefix_of = arg;
    for (size_t i = 0; i < arrlenu(s->found); i++)
        if (s->found[i].range_arg == offset && s->found[i].prefix_of == arg)
            return;
    arrput(s->found, c);
    require_propose_range(s, arg, smt_int_const(s->k->ctx, 0), NULL, false);
}

/* `offset[b] + j` with `j < length[b]`: each segment begins where the one before it ends. */
static void look_at_segments(void *user, smt_t term)
{
    candidate_search *s = user;
    if (!is_contents_of(summary_contents_arg(s->k->s, term)))
        return;
    segment_search g = {s, term};
    smt_visit(s->k->ctx, s->access->path, look_for_length, &g);
    smt_visit(s->k->ctx, s->access->mask, look_for_length, &g);
}

/* Elements do not decrease and are multiples of the step. */
static void propose_sorted(candidate_search *s, int arg, smt_int step)
{
    smt_ctx *ctx = s->k->ctx;
    smt_t by = smt_int_const(ctx, step), value = contract_value(ctx);
    int of = is_contents_of(arg) ? contents_prefix_of(s->k, &s->k->contract->args[arg]) : -1;
    if (step == 1 && of >= 0) /* the sums of what is not negative do not decrease */
        require_propose_range(s, of, smt_int_const(ctx, 0), NULL, false);
    else if (step == 1)
        require_propose_range(s, arg, NULL, NULL, true);
    else
        require_propose_range(s, arg, smt_int_const(ctx, 0),
                              smt_mul(ctx, smt_div(ctx, value, by), by), true);
}

typedef struct other_search {
    const checker *k;
    smt_t app;
    bool found;
} other_search;

static void look_for_other(void *user, smt_t term)
{
    other_search *o = user;
    o->found |= term != o->app &&
                summary_contents_arg(o->k->s, term) == summary_contents_arg(o->k->s, o->app);
}

static bool is_bounded_by_other(candidate_search *s, smt_t app)
{
    other_search o = {s->k, app, false};
    smt_visit(s->k->ctx, s->access->path, look_for_other, &o);
    smt_visit(s->k->ctx, s->access->mask, look_for_other, &o);
    return o.found;
}

/* Is something of the block's own, a lane or an iteration, added to what is looked up? A block that
 * writes one place has no segment to share out: there `table[b] / 2` is a mistake of the index,
 * which no fact on contents may undo. */
static bool is_part_of_segment(const checker *k, smt_t term)
{
    return term->kind == SMT_VAR && !copy_is_block_id(k, term) && !term_is_launch_constant(k, term);
}

typedef struct parts_search {
    const checker *k;
    bool found;
} parts_search;

static void look_for_part(void *user, smt_t sum)
{
    parts_search *p = user;
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args; i++)
        p->found |= is_part_of_segment(p->k, sum->args[i]);
}

static bool goes_over_segment(const candidate_search *s)
{
    parts_search p = {s->k, false};
    smt_visit(s->k->ctx, s->access->bytes, look_for_part, &p);
    return p.found;
}

/* Blocks that share out what lies between `table[b]` and `table[b + 1]`: elements do not decrease,
 * and, shared out as `table[b] / 16 + i`, they are multiples of 16. */
static void look_at_share(void *user, smt_t term)
{
    candidate_search *s = user;
    smt_int step;
    if (term->kind == SMT_DIV && smt_is_const(term->args[1], &step) && step > 1 &&
        summary_contents_arg(s->k->s, term->args[0]) >= 0 && goes_over_segment(s) &&
        is_bounded_by_other(s, term->args[0]))
        propose_sorted(s, summary_contents_arg(s->k->s, term->args[0]), step);
    if (summary_contents_arg(s->k->s, term) >= 0 && is_bounded_by_other(s, term))
        propose_sorted(s, summary_contents_arg(s->k->s, term), 1);
}

void require_look_at_lookups(candidate_search *s, const ix_access *a)
{
    look_at_tuples(s, a);
    smt_visit(s->k->ctx, a->bytes, look_at_kept, s);
    smt_visit(s->k->ctx, a->bytes, look_at_segments, s);
    smt_visit(s->k->ctx, a->bytes, look_at_places, s);
    smt_visit(s->k->ctx, a->bytes, look_at_side, s);
    require_look_at_windows(s, a);
    smt_visit(s->k->ctx, a->bytes, look_at_share, s);
    smt_visit(s->k->ctx, a->bytes, look_at_contents, s);
}

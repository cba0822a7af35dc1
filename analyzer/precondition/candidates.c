/* Collects what a launch might have to guarantee, read off the program: facts about sums, strides,
 * layouts and masks, and what the files beside this one know of tables, rows and index buffers, the
 * weakest and most natural first. search.c has to prove that one is enough. */
#include "precondition/candidates.h"

#include "precondition/apart.h"
#include "precondition/forbidden.h"
#include "precondition/guards.h"
#include "precondition/lengths.h"
#include "precondition/life.h"
#include "precondition/lift.h"
#include "precondition/lookups.h"
#include "precondition/propose.h"
#include "precondition/rows.h"
#include "precondition/tables.h"
#include "question/checker.h"
#include "question/exact_contents.h"
#include "question/layout.h"

#include "base/ds.h"

static void propose(candidate_search *s, precondition_kind kind, smt_t fact)
{
    if (smt_is_true(fact) || smt_is_false(fact) || !term_is_of_launch(s->k, fact) ||
        require_forces_axis(s->k, fact))
        return;
    for (size_t i = 0; i < arrlenu(s->found); i++)
        if (s->found[i].fact == fact)
            return;
    bool of_grid = false;
    for (int axis = 0; axis < 3; axis++)
        of_grid |=
            !smt_is_const(s->k->s->grid[axis], NULL) && smt_contains(fact, s->k->s->grid[axis]);
    if (kind == PRECONDITION_STRIDE_RELATION && of_grid)
        kind = PRECONDITION_GRID_BOUND;
    candidate c = candidate_of(s->k->ctx, kind);
    c.fact = fact;
    arrput(s->found, c);
}

/* ---- Section: candidates from sums ---- */

static smt_t coefficient_in(smt_ctx *ctx, smt_t sum, smt_t variable)
{
    for (uint32_t i = 0; i < sum->n_args; i++) {
        smt_t factor = require_factor_of(ctx, sum->args[i], sum->coefs[i], variable);
        if (factor)
            return factor;
    }
    return NULL;
}

/* A weight as number * base; weights of one base compare by their numbers. */
static smt_t base_of(checker *k, smt_t weight, smt_int *number)
{
    *number = 1;
    if (smt_is_const(weight, number))
        return smt_int_const(k->ctx, 1);
    if (weight->kind == SMT_SUM && weight->n_args == 1 && weight->value == 0) {
        *number = weight->coefs[0];
        return weight->args[0];
    }
    return weight;
}

/* extent * small <= big, without a factor that both share. */
static smt_t holds_all(checker *k, smt_t extent, smt_t small, smt_t big)
{
    smt_int a, b;
    if (base_of(k, small, &a) == base_of(k, big, &b))
        return smt_le(k->ctx, smt_scale(k->ctx, extent, a), smt_int_const(k->ctx, b));
    return smt_le(k->ctx, smt_mul(k->ctx, extent, small), big);
}

/* x*c1 + y*c2 is one number per (x, y) when grid.x * c1 <= c2; likewise bid*c1 + counter*step. */
static void look_at_sum(void *user, smt_t sum)
{
    candidate_search *s = user;
    checker *k = s->k;
    if (sum->kind != SMT_SUM)
        return;
    for (int axis = 0; axis < 3; axis++) {
        smt_t id = k->s->block_id[axis];
        smt_t small = smt_is_const(id, NULL) ? NULL : coefficient_in(k->ctx, sum, id);
        if (!small)
            continue;
        for (size_t i = 0; i < arrlenu(k->s->loops); i++) {
            smt_t step = coefficient_in(k->ctx, sum, k->s->loops[i]->counter);
            if (step)
                propose(s, PRECONDITION_GRID_BOUND,
                        holds_all(k, k->s->grid[axis], require_distance_of(k->ctx, small),
                                  require_distance_of(k->ctx, step)));
        }
        for (int other = 0; other < 3; other++) {
            smt_t big = other == axis || smt_is_const(k->s->block_id[other], NULL)
                            ? NULL
                            : coefficient_in(k->ctx, sum, k->s->block_id[other]);
            if (big)
                propose(s, PRECONDITION_GRID_BOUND,
                        holds_all(k, k->s->grid[axis], require_distance_of(k->ctx, small),
                                  require_distance_of(k->ctx, big)));
        }
    }
}

/* `big` holds `extent` numbers of `small`. A number is no stride that others are made to fit. */
static void propose_place(candidate_search *s, const digit_place *big, const digit_place *small,
                          smt_t extent)
{
    smt_ctx *ctx = s->k->ctx;
    if (smt_is_const(big->weight, NULL) && !smt_is_const(small->weight, NULL))
        return;
    smt_t times = require_exact_quotient(ctx, big->weight, small->weight);
    propose(s, PRECONDITION_STRIDE_RELATION,
            times ? smt_le(ctx, extent, times)
                  : smt_le(ctx, smt_mul(ctx, small->weight, extent), big->weight));
}

/* A stride that holds all of the next smaller place: weight_i >= weight_j * extent_j. */
static void look_at_radix(candidate_search *s, smt_t sum)
{
    checker *k = s->k;
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args; i++)
        if (sum->args[i]->kind == SMT_ITE)
            look_at_radix(s, sum->args[i]);
    for (uint32_t i = 1; sum->kind == SMT_ITE && i < sum->n_args; i++)
        look_at_radix(s, sum->args[i]);
    digit_place places[MAX_PLACES];
    size_t n = require_places_of(k, sum, false, places);
    for (size_t j = 0; j < n; j++) {
        smt_t end = require_upper_end(k, places[j].variable);
        if (!end || !term_is_launch_constant(k, end))
            continue;
        smt_t extent = smt_add(k->ctx, end, smt_int_const(k->ctx, 1));
        for (size_t i = 0; i < n; i++)
            if (i != j)
                propose_place(s, &places[i], &places[j], extent);
    }
}

/* The index of what is looked up is a sum of places as well: `page[s * pages + t / size]` names an
 * entry once where t / size stays below `pages`, or the grid below both. */
static void look_at_index(void *user, smt_t term)
{
    candidate_search *s = user;
    checker *k = s->k;
    if (summary_contents_of(k->s, term, NULL) < 0)
        return;
    digit_place places[MAX_PLACES];
    smt_t index = term->args[0];
    size_t n = require_places_of(k, index, false, places);
    for (size_t j = 0; j < n; j++) {
        smt_t small = places[j].variable;
        if (small->kind != SMT_DIV || !term_is_launch_constant(k, small->args[1]))
            continue;
        smt_t end = require_upper_end(k, small->args[0]);
        for (size_t i = 0; i < n && end && term_is_launch_constant(k, end); i++) {
            smt_t times =
                i == j ? NULL : require_exact_quotient(k->ctx, places[i].weight, places[j].weight);
            if (times)
                propose(s, PRECONDITION_STRIDE_RELATION,
                        smt_lt(k->ctx, end, smt_mul(k->ctx, times, small->args[1])));
        }
    }
    look_at_radix(s, index);
}

/* ---- Section: candidates from layouts and masks ---- */

static void look_at_tensor(candidate_search *s, const ix_access *a)
{
    if (!a->tensor)
        return;
    smt_t chain = layout_chain(s->k, a->tensor);
    propose(s, PRECONDITION_NO_SELF_OVERLAP, chain);
}

typedef struct bounds { /* "x < e" conjuncts of a mask or path */
    smt_t *ends;        /* stb_ds array: launch-constant upper ends */
    checker *k;
} bounds;

static void look_at_bound(void *user, smt_t term)
{
    bounds *b = user;
    if (term->kind != SMT_LE || term->args[0]->kind != SMT_SUM)
        return;
    /* sum <= 0 with private and launch-constant parts: private + 1 <= end */
    smt_t sum = term->args[0], end = smt_neg(b->k->ctx, require_launch_part(b->k, sum));
    if (!term_is_launch_constant(b->k, sum) && !smt_is_const(end, NULL))
        arrput(b->ends, end);
}

/* Every stride in the offset is at least every end, and at least 1. */
static void propose_strides(candidate_search *s, smt_t offset, const smt_t *ends)
{
    checker *k = s->k;
    uint32_t first = offset->kind == SMT_ITE ? 1 : 0; /* not the condition */
    bool is_product = offset->kind == SMT_PROD;
    for (uint32_t i = first; i < offset->n_args && (first || is_product || offset->kind == SMT_SUM);
         i++) {
        smt_t part = offset->args[i];
        if (!term_is_launch_constant(k, part)) {
            propose_strides(s, part, ends);
            continue;
        }
        for (size_t e = 0; is_product && e < arrlenu(ends); e++)
            propose(s, PRECONDITION_STRIDE_RELATION, smt_le(k->ctx, ends[e], part));
        if (is_product && part->kind == SMT_VAR)
            propose(s, PRECONDITION_STRIDE_RELATION,
                    smt_le(k->ctx, smt_int_const(k->ctx, 1), require_distance_of(k->ctx, part)));
    }
}

/* The length of a flat array, which no stride in it is meant to reach; NULL: it is not flat. */
static smt_t flat_length(checker *k, const ix_access *a)
{
    bool is_flat = !require_array_part(k, a, CONTRACT_ARRAY_EXTENT, 1);
    return is_flat ? require_array_part(k, a, CONTRACT_ARRAY_EXTENT, 0) : NULL;
}

static void look_at_strides(candidate_search *s, const ix_access *a)
{
    checker *k = s->k;
    bounds b = {.k = k};
    smt_visit(k->ctx, a->mask, look_at_bound, &b);
    smt_visit(k->ctx, a->path, look_at_bound, &b);
    smt_t length = flat_length(k, a);
    for (size_t i = arrlenu(b.ends); i-- > 0;)
        if (b.ends[i] == length)
            arrdel(b.ends, i);
    propose_strides(s, smt_div(k->ctx, a->bytes, smt_int_const(k->ctx, a->width)), b.ends);
    arrfree(b.ends);
}

/* ---- Section: candidates from arrays ---- */

static void look_at_array(candidate_search *s, const ix_access *a)
{
    smt_t chain = require_array_chain(s->k, a);
    if (chain)
        propose(s, PRECONDITION_NO_SELF_OVERLAP, chain);
}

static void propose_length(void *user, int arg, smt_t least, smt_t most)
{
    require_propose_range(user, arg, least, most, false);
}

static void propose_for(void *user, precondition_kind kind, smt_t fact)
{
    propose(user, kind, fact);
}

static void propose_alone(void *user, precondition_kind kind, smt_t fact)
{
    candidate_search *s = user;
    size_t n = arrlenu(s->found);
    propose(s, kind, fact);
    if (arrlenu(s->found) > n)
        arrlast(s->found).alone = true;
}

/* ---- Section: all of them ---- */

/* The access where every divisor of open sign is positive: that is what is meant. */
static ix_access as_meant(checker *k, const ix_access *a)
{
    smt_t all = smt_bool_const(k->ctx, true);
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++) {
        const ix_hazard *h = &k->s->hazards[i];
        if (h->asked)
            all = smt_and(k->ctx, all, smt_lt(k->ctx, smt_int_const(k->ctx, 0), h->value));
    }
    ix_access meant = *a;
    meant.bytes = smt_assume(k->ctx, a->bytes, all);
    meant.mask = smt_assume(k->ctx, a->mask, all);
    meant.path = smt_assume(k->ctx, a->path, all);
    for (int d = 0; a->tensor && d < a->tensor->rank; d++)
        meant.coordinate[d] = smt_assume(k->ctx, a->coordinate[d], all);
    return meant;
}

/* Is the candidate about elements that the contract states one by one? */
static bool asks_of_known(const checker *k, const candidate *c)
{
    bool known = contents_are_given(k, c->unique_arg) || contents_are_given(k, c->range_arg) ||
                 contents_are_given(k, c->prefix_of);
    for (size_t i = 0; i < c->n_with; i++)
        known |= contents_are_given(k, c->with[i]);
    return known;
}

/* A range keeps elements below one extent that a guard keeps below another: `c < h` for `c < w`. It
 * relates the two, as `w <= h` would. */
static bool relates_guarded_ends(checker *k, const ix_access *a, const ix_access *b,
                                 const candidate *c)
{
    const ix_access *both[2] = {a, b};
    smt_t fact = smt_bool_const(k->ctx, true);
    for (int i = 0; i < 2 && c->range_arg >= 0; i++) {
        if (c->high)
            fact = smt_and(k->ctx, fact,
                           require_guarded_ends(k, both[i], c->range_arg, true, c->high));
        if (c->low)
            fact = smt_and(k->ctx, fact,
                           require_guarded_ends(k, both[i], c->range_arg, false, c->low));
    }
    return require_relates_extents(k, a, b, fact);
}

candidate *require_candidates(checker *k, const ix_access *a, const ix_access *b)
{
    candidate_search found = {.k = k}, *s = &found;
    ix_access x = as_meant(k, a), y = as_meant(k, b);
    const ix_access *both[2] = {&x, &y};
    size_t n = a == b ? 1 : 2;
    /* Shape-derived relations first: they are what callers mean by a tensor. */
    for (size_t i = 0; i < n; i++) {
        require_look_at_nowhere(k, both[i], propose_for, s);
        look_at_tensor(s, both[i]);
        if (!both[i]->tensor) {
            look_at_array(s, both[i]);
            /* Two accesses may need less of a stride than each alone. */
            if (n == 1)
                require_look_at_cut_rows(k, both[i], propose_alone, s);
            else
                require_look_at_rows(k, both[i], both[n - 1 - i], propose_for, propose_alone, s);
            require_look_at_lengths(k, both[i], propose_for, propose_length, s);
            if (n == 1)
                require_look_at_rows(k, both[i], both[i], propose_for, propose_alone, s);
            look_at_strides(s, both[i]);
            look_at_radix(s, both[i]->bytes);
        }
    }
    if (n > 1)
        require_look_at_apart(k, &x, &y, propose_for, s);
    for (size_t i = 0; i < n; i++) {
        s->access = both[i];
        for (int d = 0; both[i]->tensor && d < both[i]->tensor->rank; d++)
            smt_visit(s->k->ctx, both[i]->coordinate[d], look_at_sum, s);
        smt_visit(s->k->ctx, both[i]->bytes, look_at_sum, s);
        smt_visit(s->k->ctx, both[i]->bytes, look_at_index, s);
        require_look_at_tables(s->k, both[i], propose_for, s);
        require_look_at_lookups(s, both[i]);
    }
    for (size_t i = arrlenu(s->found); i-- > 0;)
        if (asks_of_known(k, &s->found[i]) || relates_guarded_ends(k, a, b, &s->found[i]) ||
            (s->found[i].kind != PRECONDITION_IN_BOUNDS &&
             require_relates_extents(k, a, b, s->found[i].fact)))
            arrdel(s->found, i);
    return s->found;
}

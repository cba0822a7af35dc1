/* Launches with several of everything. A race that a launch of one tile block, one iteration or one
 * row does not have is still the race that the author wrote, so a precondition has to leave such
 * launches. */
#include "precondition/life.h"

#include "question/ask.h"
#include "question/checker.h"
#include "question/layout.h"
#include "question/two_events.h"
#include "solver/model.h"

#include "base/ds.h"

/* ---- Section: one block ---- */

bool require_bears_on(checker *k, smt_t fact, smt_t other)
{
    smt_t *joined = NULL, launch = k->known.launch;
    uint32_t n = launch->kind == SMT_AND ? launch->n_args : 1;
    bool *taken = TR_NEW_ARRAY(k->arena, bool, n);
    bool bears = smt_share_unknown(fact, other);
    arrput(joined, fact);
    for (size_t at = 0; at < arrlenu(joined) && !bears; at++)
        for (uint32_t i = 0; i < n && !bears; i++) {
            smt_t stated = launch->kind == SMT_AND ? launch->args[i] : launch;
            if (taken[i] || !smt_share_unknown(stated, joined[at]))
                continue;
            taken[i] = true;
            arrput(joined, stated);
            bears = smt_share_unknown(stated, other);
        }
    arrfree(joined);
    return bears;
}

/* May a launch have `several` of something, but not one of which the fact holds? */
static bool excludes(checker *k, smt_t fact, smt_t several)
{
    if (!require_bears_on(k, fact, several))
        return false;
    query without = query_with(k, query_of_launch(k), several);
    return ask_briefly(k, query_with(k, without, fact), "require-axis") == SMT_UNSAT &&
           ask_briefly(k, without, "require-axis") != SMT_UNSAT;
}

bool require_forces_some(checker *k, smt_t fact, const bool *axes)
{
    smt_t two = smt_int_const(k->ctx, 2), all = smt_bool_const(k->ctx, true);
    for (int axis = 0; axis < 3; axis++) {
        if (!axes[axis] || smt_is_const(k->s->grid[axis], NULL))
            continue;
        smt_t several = smt_le(k->ctx, two, k->s->grid[axis]);
        if (excludes(k, fact, several))
            return true;
        all = smt_and(k->ctx, all, several);
    }
    return all->kind == SMT_AND && excludes(k, fact, all);
}

bool require_forces_axis(checker *k, smt_t fact)
{
    return require_forces_some(k, fact, (const bool[3]){true, true, true});
}

/* ---- Section: several of everything ---- */

typedef struct size_search {
    checker *k;
    smt_t *found; /* stb_ds array: parameters in the terms that were visited */
} size_search;

static void look_for_size(void *user, smt_t term)
{
    size_search *s = user;
    if (term->kind != SMT_VAR || smt_is_bool(term) || summary_private(s->k->s, term))
        return;
    for (size_t i = 0; i < arrlenu(s->found); i++)
        if (s->found[i] == term)
            return;
    arrput(s->found, term);
}

void require_add_sizes(checker *k, smt_t term, smt_t **sizes)
{
    size_search s = {.k = k, .found = *sizes};
    smt_visit(k->ctx, term, look_for_size, &s);
    *sizes = s.found;
}

smt_t *require_sizes_in(checker *k, const ix_access *a, const ix_access *b)
{
    smt_t *sizes = NULL;
    const ix_access *both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        require_add_sizes(k, both[i]->bytes, &sizes);
        require_add_sizes(k, both[i]->mask, &sizes);
        require_add_sizes(k, both[i]->path, &sizes);
    }
    return sizes;
}

void require_wish_for(checker *k, query *life, smt_t wish)
{
    if (smt_is_true(wish) || smt_is_false(wish))
        return;
    query with = query_with(k, *life, wish);
    if (ask_briefly(k, with, "require-life") == SMT_SAT)
        *life = with;
}

query require_life(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                   smt_t also)
{
    smt_ctx *ctx = k->ctx;
    smt_t two = smt_int_const(ctx, 2), one = smt_int_const(ctx, 1);
    query life = {0};
    copy_add_pair(k, &life, a, b, relation);
    query_add(k, &life, also);
    size_t wishes = 0;
    for (int axis = 0; axis < 3; axis++)
        if (k->s->reads_axis[axis])
            require_wish_for(k, &life, smt_le(ctx, two, k->s->grid[axis]));
    /* A guard may leave blocks out though the grid has them. */
    for (int i = 0; i < 2; i++)
        for (int axis = 0; axis < 3; axis++)
            if (k->s->reads_axis[axis])
                require_wish_for(k, &life,
                                 smt_le(ctx, one, copy_term(k, k->s->block_id[axis], relation, i)));
    const ix_access *both[2] = {a, b};
    for (int i = 0; i < 2; i++)
        for (size_t l = 0; l < both[i]->n_loops && wishes < REQUIRE_MOST_WISHES; l++, wishes++) {
            smt_t counter = copy_term(k, both[i]->loops[l]->counter, relation, i);
            require_wish_for(k, &life, smt_le(ctx, one, counter));
        }
    smt_t *sizes = require_sizes_in(k, a, b);
    for (size_t i = 0; i < arrlenu(sizes) && wishes < REQUIRE_MOST_WISHES; i++, wishes++)
        require_wish_for(k, &life, smt_le(ctx, two, sizes[i]));
    arrfree(sizes);
    return life;
}

/* ---- Section: one value ---- */

/* The quantities of the fact without what the contract says of them: an upper bound that is stated
 * makes no lower one an equation. */
static smt_t as_open(checker *k, smt_t fact, const smt_t *sizes, smt_t *open)
{
    for (size_t i = 0; i < arrlenu(sizes); i++)
        open[i] = smt_fresh(k->ctx, "open", SMT_NO_LOW, SMT_NO_HIGH);
    return smt_guess_instance(k->ctx, fact, arrlenu(sizes), sizes, open);
}

/* The fact, and what is required already of what it speaks of. */
static smt_t with_required(checker *k, smt_t fact)
{
    smt_t all = fact;
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        const required *r = &k->requires_[i];
        if (r->fact && !r->unenforced && require_bears_on(k, fact, r->fact))
            all = smt_and(k->ctx, all, r->fact);
    }
    return all;
}

static bool is_grid_extent(const checker *k, smt_t size)
{
    return size == k->s->grid[0] || size == k->s->grid[1] || size == k->s->grid[2];
}

/* The size is as sizes are: `least` or more, and of a stride that goes down -2 or less. */
static smt_t as_size(checker *k, smt_t size, smt_t open, smt_int least)
{
    smt_ctx *ctx = k->ctx;
    return size->high <= 0 ? smt_le(ctx, open, smt_int_const(ctx, -2))
                           : smt_le(ctx, smt_int_const(ctx, least), open);
}

/* Is the value the stated end of its range, and so the single one that a bound leaves: `n >= 64`
 * where the contract says `n <= 64`? Where sizes start anyway is no end that a contract states. */
static bool is_stated_end(smt_t size, smt_int value, smt_int least)
{
    bool goes_down = size->high <= 0;
    bool is_start = goes_down ? value >= -2 : value <= least;
    smt_int first = goes_down ? size->high : size->low, last = goes_down ? size->low : size->high;
    return value == last || (value == first && !is_start);
}

/* Does the fact, with what is required already, leave a parameter a single value among sizes? */
static bool equates(checker *k, smt_t fact, const smt_model *model)
{
    smt_t *sizes = NULL;
    query conjuncts = {0};
    bool one_value = false;
    require_add_sizes(k, fact, &sizes);
    size_t n = arrlenu(sizes); /* of the fact itself; others come behind them */
    fact = with_required(k, fact);
    require_add_sizes(k, fact, &sizes);
    smt_t *open = TR_NEW_ARRAY(k->arena, smt_t, arrlenu(sizes) + 1);
    query_add(k, &conjuncts, as_open(k, fact, sizes, open));
    /* A launch of one tile block on an axis is as good as any: `grid.y <= 2` is a bound, which
     * leaves two of them. One that relates the grid to a size is none: `grid.y * s <= s + 2`. */
    smt_int first = n == 1 && is_grid_extent(k, sizes[0]) ? 1 : 2;
    for (size_t i = 0; i < arrlenu(sizes); i++)
        query_add(k, &conjuncts, as_size(k, sizes[i], open[i], i == 0 ? first : 2));
    for (size_t i = 0; i < n && !one_value; i++) {
        smt_int value;
        if (!smt_model_eval(model, sizes[i], &value) ||
            is_stated_end(sizes[i], value, i == 0 ? first : 2))
            continue;
        smt_t other = smt_ne(k->ctx, open[i], smt_int_const(k->ctx, value));
        one_value = ask_briefly(k, query_with(k, conjuncts, other), "require-equates") == SMT_UNSAT;
    }
    arrfree(sizes);
    return one_value;
}

require_answer require_leaves_life(checker *k, query life, smt_t fact)
{
    smt_answer answer = ask(k, query_with(k, life, fact), "require-lives");
    if (answer.verdict == SMT_UNKNOWN)
        return REQUIRE_OPEN;
    if (answer.verdict == SMT_UNSAT || equates(k, fact, answer.model))
        return REQUIRE_FORBIDDEN;
    return REQUIRE_ADMITTED;
}

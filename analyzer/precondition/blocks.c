/* Guesses how many tile blocks a kernel is meant for, and which sizes belong together, from the way
 * in which the kernel takes its block id apart into indices. */
#include "precondition/blocks.h"

#include "precondition/lift.h"
#include "precondition/rows.h"
#include "question/checker.h"
#include "question/layout.h"

#include "base/ds.h"

typedef struct guesses {
    checker *k;
    bool of_rows;     /* rows of swizzles, and nothing else */
    smt_t index, end; /* wanted: the index below the end; NULL: that is not what is wanted */
    smt_t *found;     /* REQUIRE_MOST_GUESSES of them */
    size_t n;
} guesses;

static void guess(guesses *g, smt_t fact)
{
    if (smt_is_true(fact) || smt_is_false(fact) || g->n == REQUIRE_MOST_GUESSES)
        return;
    for (size_t i = 0; i < g->n; i++)
        if (g->found[i] == fact)
            return;
    g->found[g->n++] = fact;
}

typedef struct found_axes {
    const checker *k;
    bool axis[3];
    bool remainder;
    bool taken_apart; /* into quotients or remainders */
    bool looked_up;   /* an element of a table: it tells nothing of the id that it stands at */
} found_axes;

static void look_for_axes(void *user, smt_t term)
{
    found_axes *f = user;
    for (int axis = 0; axis < 3; axis++)
        f->axis[axis] |= f->k->s->block_id[axis] == term;
    f->remainder |= term->kind == SMT_MOD;
    f->looked_up |= summary_contents_of(f->k->s, term, NULL) >= 0;
    f->taken_apart |=
        (term->kind == SMT_DIV || term->kind == SMT_MOD) && !term_is_launch_constant(f->k, term);
}

static found_axes axes_in(checker *k, smt_t term)
{
    found_axes f = {.k = k};
    smt_visit(k->ctx, term, look_for_axes, &f);
    return f;
}

bool require_has_remainder(checker *k, smt_t term)
{
    return axes_in(k, term).remainder;
}

/* ---- Section: sizes ---- */

/* Where `index < end` is wanted and the same index stays below another end elsewhere, that other
 * end is meant to be no greater. */
size_t require_guess_sizes(checker *k, smt_t safe, smt_t *found)
{
    guesses g = {.k = k, .found = found};
    const ix_access *accesses = k->s->accesses;
    for (size_t n = 0; n < arrlenu(accesses); n++)
        for (int i = 0; i < accesses[n].n_index; i++) {
            smt_t end = accesses[n].index_end[i], index = accesses[n].index[i];
            if (!end || smt_lt(k->ctx, index, end) != safe)
                continue;
            if (!axes_in(k, index).taken_apart)
                return 0;
            for (size_t m = 0; m < n; m++)
                for (int j = 0; j < accesses[m].n_index; j++)
                    if (accesses[m].index[j] == index && accesses[m].index_end[j])
                        guess(&g, smt_le(k->ctx, accesses[m].index_end[j], end));
            return g.n;
        }
    return 0;
}

/* ---- Section: blocks ---- */

/* The quotient that a factor is, or is where the divisor is positive; else NULL. */
static smt_t quotient_in(smt_t factor)
{
    if (factor->kind == SMT_ITE)
        factor = factor->args[1];
    return factor->kind == SMT_DIV ? factor : NULL;
}

/* Is the term the first row of a group plus a row in it? */
static bool is_row(smt_t index, smt_t quotient)
{
    for (uint32_t i = 0; index->kind == SMT_SUM && i < index->n_args; i++) {
        smt_t part = index->args[i];
        size_t n = part->kind == SMT_PROD ? part->n_args : 1;
        for (size_t p = 0; p < n; p++)
            if (quotient_in(part->kind == SMT_PROD ? part->args[p] : part) == quotient)
                return true;
    }
    return false;
}

/* c * (id / (c * n)), subtracted from m: groups of c rows of n columns, m rows in all. */
static void guess_by_group(guesses *g, smt_t rows, smt_t product, smt_int coef)
{
    checker *k = g->k;
    smt_ctx *ctx = k->ctx;
    size_t n = product->kind == SMT_PROD ? product->n_args : 1;
    smt_t quotient = NULL, group = smt_int_const(ctx, -coef);
    for (size_t i = 0; i < n; i++) {
        smt_t factor = product->kind == SMT_PROD ? product->args[i] : product;
        if (!quotient && quotient_in(factor))
            quotient = quotient_in(factor);
        else
            group = smt_mul(ctx, group, factor);
    }
    if (!quotient || coef >= 0 || !term_is_launch_constant(k, group))
        return;
    smt_t columns = require_exact_quotient(ctx, quotient->args[1], group);
    if (g->of_rows) {
        if (columns)
            guess(g, rows);
        return;
    }
    smt_t blocks = smt_bool_const(ctx, true);
    for (int axis = 0; axis < 3 && columns; axis++)
        if (quotient->args[0] == k->s->block_id[axis] && !smt_is_const(k->s->grid[axis], NULL))
            blocks = smt_le(ctx, k->s->grid[axis], smt_mul(ctx, rows, columns));
    guess(g, blocks);
    if (!g->end || !columns || !term_is_launch_constant(k, columns))
        return;
    smt_t fits = smt_le(ctx, is_row(g->index, quotient) ? rows : columns, g->end);
    guess(g, fits);
    guess(g, smt_and(ctx, blocks, fits));
}

static void guess_by_size(guesses *g, smt_t sum)
{
    smt_ctx *ctx = g->k->ctx;
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args; i++) {
        smt_t rows = smt_sub(ctx, sum, smt_scale(ctx, sum->args[i], sum->coefs[i]));
        if (term_is_launch_constant(g->k, rows))
            guess_by_group(g, rows, sum->args[i], sum->coefs[i]);
    }
}

/* min(m - c * (id / (c * n)), c): the last group of a swizzle may be smaller than the others. With
 * fewer than c rows in all the min is gone, and what is left is a divisor. */
static void look_for_swizzle(void *user, smt_t term)
{
    guesses *g = user;
    if (term->kind == SMT_DIV || term->kind == SMT_MOD)
        guess_by_size(g, term->args[1]);
    if (term->kind != SMT_ITE || smt_is_bool(term) ||
        smt_min(g->k->ctx, term->args[1], term->args[2]) != term)
        return;
    for (int side = 1; side < 3; side++)
        guess_by_size(g, term->args[side]);
}

/* Finds the condition `index < end` on an access's index. */
static void find_wanted(guesses *g, smt_t safe)
{
    checker *k = g->k;
    for (size_t n = 0; n < arrlenu(k->s->accesses); n++) {
        const ix_access *a = &k->s->accesses[n];
        for (int i = 0; i < a->n_index; i++)
            if (a->index_end[i] && smt_lt(k->ctx, a->index[i], a->index_end[i]) == safe) {
                g->index = a->index[i];
                g->end = a->index_end[i];
                return;
            }
    }
}

size_t require_guess_swizzle(checker *k, smt_t safe, smt_t *found)
{
    guesses g = {.k = k, .found = found};
    find_wanted(&g, safe);
    smt_visit(k->ctx, safe, look_for_swizzle, &g);
    return g.n;
}

size_t require_guess_rows(checker *k, smt_t term, smt_t *rows)
{
    guesses g = {.k = k, .of_rows = true, .found = rows};
    smt_visit(k->ctx, term, look_for_swizzle, &g);
    return g.n;
}

typedef struct ends { /* indices made of one axis, and where they end */
    checker *k;
    int axis;
    size_t n;
    smt_t index[REQUIRE_MOST_GUESSES];
    smt_t product;
} ends;

static void add_end(ends *e, smt_t index, smt_t end)
{
    checker *k = e->k;
    found_axes f = axes_in(k, index);
    if (smt_is_const(end, NULL) || !term_is_launch_constant(k, end) || !f.axis[e->axis] ||
        f.looked_up || e->n == REQUIRE_MOST_GUESSES)
        return;
    for (size_t i = 0; i < e->n; i++)
        if (e->index[i] == index)
            return;
    e->index[e->n++] = index;
    e->product = smt_mul(k->ctx, e->product, end);
}

/* Adds the ends of conditions `index + 1 - end <= 0`. */
static void add_ends_of(ends *e, smt_t all)
{
    checker *k = e->k;
    if (all->kind == SMT_AND) {
        for (uint32_t i = 0; i < all->n_args; i++)
            add_ends_of(e, all->args[i]);
        return;
    }
    if (all->kind != SMT_LE || all->args[0]->kind != SMT_SUM)
        return;
    smt_t sum = all->args[0];
    add_end(e, sum,
            smt_sub(k->ctx, smt_int_const(k->ctx, 1 - sum->value), require_launch_part(k, sum)));
}

size_t require_guess_blocks(checker *k, smt_t safe, smt_t all, smt_t *found)
{
    guesses g = {.k = k, .found = found};
    found_axes f = axes_in(k, safe);
    for (int axis = 0; axis < 3; axis++) {
        if (!f.axis[axis] || smt_is_const(k->s->grid[axis], NULL))
            continue;
        ends wide = {.k = k, .axis = axis, .product = smt_int_const(k->ctx, 1)}, own = wide;
        for (size_t n = 0; n < arrlenu(k->s->accesses); n++) {
            const ix_access *a = &k->s->accesses[n];
            for (int i = 0; i < a->n_index; i++)
                if (a->index_end[i])
                    add_end(&wide, a->index[i], a->index_end[i]);
        }
        add_ends_of(&own, all);
        if (wide.n > 1)
            guess(&g, smt_le(k->ctx, k->s->grid[axis], wide.product));
        if (own.n)
            guess(&g, smt_le(k->ctx, k->s->grid[axis], own.product));
    }
    return g.n;
}

/* Sums of elements that are not negative, as a block makes them of a tile (index_space/folded.c):
 * what they say of each other, for the sums that a question speaks of. S(e) is the sum up to and
 * with element e, x(e) the element, R the sum of all; e and f range over the elements of one line
 * of one tile of one event.
 *
 *     x(e) <= S(e)                          S(e) <= R
 *     S(e) <= x(e) + c * e, where no x is larger than c (a reverse scan of n: c * (n - 1 - e))
 *     e < f  ->  S(e) + x(f) <= S(f)        (a reverse scan: e > f)
 *
 * No sum wraps: that is asked where they are made. Ranks of compaction and counts go this way. */
#include "question/running_sums.h"

#include "question/checker.h"

#include "base/ds.h"

#include <string.h>

enum { MAX_SUMS = 16 }; /* of one question; a fact that is left out makes an answer weaker */

typedef struct sum_at { /* a sum with the arguments that a question gives it */
    const ix_sum *sum;
    smt_t app;
} sum_at;

typedef struct sum_search {
    const summary *s;
    size_t n;
    sum_at found[MAX_SUMS];
} sum_search;

static void look_for_sum(void *user, smt_t term)
{
    sum_search *search = user;
    if (term->kind != SMT_APP || search->n == MAX_SUMS)
        return;
    for (size_t i = 0; i < search->n; i++)
        if (search->found[i].app == term)
            return;
    for (size_t i = 0; i < arrlenu(search->s->sums); i++) {
        const ix_sum *sum = &search->s->sums[i];
        if (sum->app->n_args == term->n_args && strcmp(sum->app->name, term->name) == 0)
            search->found[search->n++] = (sum_at){sum, term};
    }
}

/* The element at the sum's arguments; NULL where an argument may lie outside its range. */
static smt_t element_at(checker *k, const sum_at *at)
{
    smt_t from[IR_MAX_RANK + 3 + IX_MAX_LOOPS], to[IR_MAX_RANK + 3 + IX_MAX_LOOPS];
    size_t n = 0;
    for (uint32_t i = 0; i < at->app->n_args; i++) {
        smt_t own = at->sum->app->args[i], now = at->app->args[i];
        smt_int low, high, least, most;
        if (own->kind != SMT_VAR || n == TR_COUNT(from))
            continue;
        smt_bounds(own, &low, &high);
        smt_bounds(now, &least, &most);
        if (least < low || most > high)
            return NULL;
        from[n] = own;
        to[n++] = now;
    }
    return smt_substitute(k->ctx, at->sum->element, n, from, to);
}

static uint32_t place_of_dim(const ix_sum *sum)
{
    return sum->app->n_args - (uint32_t)sum->rank + (uint32_t)sum->dim;
}

/* When are all arguments equal but the one along the dimension, which `b` may lack? */
static smt_t same_line(checker *k, const sum_at *a, const sum_at *b)
{
    smt_t same = smt_bool_const(k->ctx, true);
    uint32_t skipped = place_of_dim(a->sum);
    for (uint32_t i = 0, j = 0; i < a->app->n_args; i++) {
        if (i == skipped) {
            j += b->sum->running;
            continue;
        }
        same = smt_and(k->ctx, same, smt_eq(k->ctx, a->app->args[i], b->app->args[j++]));
    }
    return same;
}

static void add_order(checker *k, query *conjuncts, const sum_at *first, const sum_at *second)
{
    smt_ctx *ctx = k->ctx;
    uint32_t at = place_of_dim(first->sum);
    smt_t e = first->app->args[at], f = second->app->args[at], x = element_at(k, second);
    smt_t before = first->sum->reverse ? smt_lt(ctx, f, e) : smt_lt(ctx, e, f);
    smt_t when = smt_and(ctx, same_line(k, first, second), before);
    if (x && !smt_is_false(when))
        query_add(k, conjuncts,
                  smt_implies(ctx, when, smt_le(ctx, smt_add(ctx, first->app, x), second->app)));
}

/* Returns how many other elements the sum has. */
static smt_t others_at(checker *k, const sum_at *at)
{
    smt_t e = at->app->args[place_of_dim(at->sum)];
    if (!at->sum->reverse)
        return e;
    return smt_sub(k->ctx, smt_int_const(k->ctx, at->sum->of->type->shape[at->sum->dim] - 1), e);
}

void running_sums_add(checker *k, query *conjuncts)
{
    if (!arrlenu(k->s->sums))
        return;
    smt_ctx *ctx = k->ctx;
    sum_search search = {.s = k->s};
    query_visit(k, *conjuncts, look_for_sum, &search);
    for (size_t i = 0; i < search.n; i++) {
        const sum_at *a = &search.found[i];
        if (!a->sum->running)
            continue;
        smt_t x = element_at(k, a);
        if (!x)
            continue;
        query_add(k, conjuncts, smt_le(ctx, x, a->app));
        smt_t others = smt_scale(ctx, others_at(k, a), a->sum->most);
        query_add(k, conjuncts, smt_le(ctx, a->app, smt_add(ctx, x, others)));
        for (size_t j = 0; j < search.n; j++) {
            const sum_at *b = &search.found[j];
            if (b->sum == a->sum && j != i)
                add_order(k, conjuncts, a, b);
            else if (!b->sum->running && b->sum->of == a->sum->of && b->sum->dim == a->sum->dim &&
                     b->app->n_args + 1 == a->app->n_args)
                query_add(k, conjuncts,
                          smt_implies(ctx, same_line(k, a, b), smt_le(ctx, a->app, b->app)));
        }
    }
}

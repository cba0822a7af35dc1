/* Elements that the contract states one by one, as a fact about an element that a question speaks
 * of: a choice by its index among stretches that go up or down evenly. Only what the index can
 * reach is looked at, so that a long table costs a launch of a few blocks little. */
#include "question/exact_contents.h"

#include "question/checker.h"

#include "base/ds.h"

enum { MOST_PIECES = 2048, MOST_INDICES = 1 << 16 };

typedef struct piece { /* element i is first + step * (i - from), for i from `from` up to the next
                        */
    smt_int from;
    int64_t first, step;
    bool known;
} piece;

/* The stretch that begins at that element; *end: the element behind it. */
static piece piece_at(const contract_values *v, smt_int from, smt_int high, smt_int *end)
{
    piece p = {.from = from};
    int64_t value, last;
    smt_int i = from + 1;
    p.known = contract_values_at(v, from, &p.first);
    last = p.first;
    for (; i <= high && contract_values_at(v, i, &value) == p.known; i++) {
        if (!p.known)
            continue;
        if (i == from + 1 && __builtin_sub_overflow(value, last, &p.step))
            break;
        if (i > from + 1 && (smt_int)value - last != p.step)
            break;
        last = value;
    }
    if (i == from + 1)
        p.step = 0;
    *end = i;
    return p;
}

/* The element at `index` as these pieces have it; where nothing is known it is what it is. */
static smt_t chosen(checker *k, const piece *pieces, size_t n, smt_t index, smt_t element)
{
    smt_ctx *ctx = k->ctx;
    if (n > 1) {
        size_t half = n / 2;
        return smt_ite(ctx, smt_lt(ctx, index, smt_int_const(ctx, pieces[half].from)),
                       chosen(k, pieces, half, index, element),
                       chosen(k, pieces + half, n - half, index, element));
    }
    if (!pieces->known)
        return element;
    smt_t along = smt_sub(ctx, index, smt_int_const(ctx, pieces->from));
    return smt_add(ctx, smt_int_const(ctx, pieces->first), smt_scale(ctx, along, pieces->step));
}

/* Returns, for a table with more pieces than that, facts on the elements that occur more than once,
 * which a race may be about. NULL: there are none. */
static smt_t of_repeated(checker *k, const contract_values *v, smt_t index, smt_t element)
{
    smt_ctx *ctx = k->ctx;
    smt_t all = NULL;
    for (size_t i = 0; v->repeated && i < v->n_repeated; i++) {
        smt_t there = smt_eq(ctx, index, smt_int_const(ctx, (smt_int)v->repeated[i]));
        smt_t is = smt_eq(ctx, element, smt_int_const(ctx, v->values[v->repeated[i]]));
        smt_t fact = smt_implies(ctx, there, is);
        all = all ? smt_and(ctx, all, fact) : fact;
    }
    return all;
}

smt_t contents_exact_fact(checker *k, const contract_arg *arg, smt_t index, smt_t element)
{
    const contract_values *v = arg->contents.values;
    smt_ctx *ctx = k->ctx;
    smt_int low, high;
    if (!v || !v->n)
        return NULL;
    smt_bounds(index, &low, &high);
    low = low < 0 ? 0 : low;
    high = high >= (smt_int)v->n ? (smt_int)v->n - 1 : high;
    if (low > high)
        return NULL;
    if (high - low >= MOST_INDICES)
        return of_repeated(k, v, index, element);
    piece *pieces = NULL;
    for (smt_int at = low; at <= high && arrlenu(pieces) <= MOST_PIECES;) {
        piece next = piece_at(v, at, high, &at);
        arrput(pieces, next);
    }
    smt_t fact;
    if (arrlenu(pieces) > MOST_PIECES) {
        fact = of_repeated(k, v, index, element);
    } else {
        smt_t inside = smt_and(ctx, smt_le(ctx, smt_int_const(ctx, low), index),
                               smt_le(ctx, index, smt_int_const(ctx, high)));
        smt_t stated = chosen(k, pieces, arrlenu(pieces), index, element);
        fact = smt_implies(ctx, inside, smt_eq(ctx, element, stated));
    }
    arrfree(pieces);
    return fact;
}

/* `index` is one of those whose elements occur more than once. */
static smt_t is_repeated(checker *k, const contract_values *v, smt_t index)
{
    smt_t any = smt_bool_const(k->ctx, false);
    for (size_t i = 0; i < v->n_repeated; i++)
        any = smt_or(k->ctx, any,
                     smt_eq(k->ctx, index, smt_int_const(k->ctx, (smt_int)v->repeated[i])));
    return any;
}

smt_t contents_exact_pair(checker *k, const contract_arg *arg, smt_t i, smt_t j, smt_t a, smt_t b)
{
    const contract_values *v = arg->contents.values;
    smt_ctx *ctx = k->ctx;
    if (!v || !v->repeated || v->n < 2)
        return NULL;
    smt_t zero = smt_int_const(ctx, 0), end = smt_int_const(ctx, (smt_int)v->n);
    smt_t inside = smt_and(ctx, smt_and(ctx, smt_le(ctx, zero, i), smt_lt(ctx, i, end)),
                           smt_and(ctx, smt_le(ctx, zero, j), smt_lt(ctx, j, end)));
    smt_t both = smt_and(ctx, is_repeated(k, v, i), is_repeated(k, v, j));
    smt_t differ = smt_or(ctx, smt_eq(ctx, i, j), smt_ne(ctx, a, b));
    return smt_implies(ctx, inside, smt_or(ctx, differ, both));
}

bool contents_are_exact(const checker *k, int arg)
{
    return arg >= 0 && (size_t)arg < k->contract->n_args &&
           k->contract->args[arg].contents.values != NULL;
}

bool contents_are_bools(const checker *k, int arg)
{
    const ir_type *type = k->kernel->body->args[arg]->type;
    return type->kind == IR_TILE && type->elem->kind == IR_POINTER &&
           type->elem->elem->kind == IR_I1;
}

bool contents_are_given(const checker *k, int arg)
{
    return contents_are_exact(k, arg) || (arg >= 0 && contents_are_bools(k, arg));
}

/* Booleans and if-then-else. AND and OR are without duplicates, sorted by id, and flat but for
 * parts that are long themselves: a conjunction that grows by one part with each operation of a
 * kernel is so a chain of nodes of bounded size and no row of copies. */
#include "terms/bool.h"

#include "terms/compare.h"
#include "terms/node.h"
#include "terms/poly.h"
#include "terms/range.h"
#include "terms/walk.h"

#include "base/ds.h"

#include <stdlib.h>

enum {
    MAX_NEGATED_DEPTH = 16, /* below that, a negation stays in front */
    MAX_TAKEN_APART = 256,  /* parts; a longer AND or OR is one part of the AND or OR around it */
};

/* ---- Section: Not ---- */

static smt_t negate_parts(smt_ctx *ctx, smt_t term)
{
    smt_t *parts = NULL;
    for (uint32_t i = 0; i < term->n_args; i++)
        arrput(parts, smt_not(ctx, term->args[i]));
    smt_t result = term->kind == SMT_AND ? smt_or_n(ctx, term->n_args, parts)
                                         : smt_and_n(ctx, term->n_args, parts);
    arrfree(parts);
    return result;
}

/* Makes the negation. It is moved inwards through comparisons, and through connectives that are not
 * nested too deep. */
static smt_t negate(smt_ctx *ctx, smt_t term)
{
    smt_t one = smt_int_const(ctx, 1);
    switch (term->kind) {
    case SMT_TRUE:
        return ctx->false_term;
    case SMT_FALSE:
        return ctx->true_term;
    case SMT_NOT:
        return term->args[0];
    case SMT_LE: /* t > 0 */
        return smt_ge(ctx, term->args[0], one);
    case SMT_EQ: /* at the edge of its range a disequality is a bound */
        if (term->args[0]->low == 0)
            return smt_ge(ctx, term->args[0], one);
        if (term->args[0]->high == 0)
            return smt_lt(ctx, term->args[0], smt_int_const(ctx, 0));
        break;
    case SMT_AND:
    case SMT_OR:
        if (smt_node_of(term)->bool_depth <= MAX_NEGATED_DEPTH)
            return negate_parts(ctx, term);
        break;
    default:
        break;
    }
    return smt_intern(ctx, &(struct smt_term){.kind = SMT_NOT, .n_args = 1, .args = &term});
}

smt_t smt_not(smt_ctx *ctx, smt_t a)
{
    TR_ASSERT(smt_is_bool(a));
    smt_node *node = (smt_node *)a; /* the cache is no part of the term */
    if (!node->negation) {
        node->negation = negate(ctx, a);
        smt_node *other = (smt_node *)node->negation;
        if (!other->negation)
            other->negation = a;
    }
    return node->negation;
}

/* ---- Section: And, or ---- */

static int by_id(const void *a, const void *b)
{
    uint32_t x = (*(const smt_t *)a)->id, y = (*(const smt_t *)b)->id;
    return (x > y) - (x < y);
}

static bool has(smt_t *sorted, smt_t what)
{
    size_t n = arrlenu(sorted);
    return n > 0 && bsearch(&what, sorted, n, sizeof(smt_t), by_id) != NULL;
}

static bool is_comparison(smt_t term)
{
    return term->kind == SMT_LE || term->kind == SMT_EQ ||
           (term->kind == SMT_NOT && term->args[0]->kind == SMT_EQ);
}

static void sort_unique(smt_t *list)
{
    size_t n = arrlenu(list), kept = 0;
    if (n == 0)
        return;
    smt_sort_by_id(list, n);
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || list[kept - 1] != list[i])
            list[kept++] = list[i];
    }
    arrsetlen(list, kept);
}

/* Comparisons of the list replaced by what they say together. For OR: of what they exclude.
 * True when the whole is decided (false for AND, true for OR). */
static bool merge_comparisons(smt_ctx *ctx, bool is_and, smt_t **list)
{
    smt_t *atoms = NULL, *others = NULL;
    for (size_t i = 0; i < arrlenu(*list); i++) {
        smt_t term = (*list)[i];
        if (!is_comparison(term))
            arrput(others, term);
        else
            arrput(atoms, is_and ? term : smt_not(ctx, term));
    }
    bool decided = false;
    if (arrlenu(atoms) > 1) {
        smt_t *merged = smt_merge_atoms(ctx, arrlenu(atoms), atoms, &decided);
        for (size_t i = 0; i < arrlenu(merged); i++)
            arrput(others, is_and ? merged[i] : smt_not(ctx, merged[i]));
        arrfree(merged);
        arrfree(*list);
        *list = others;
        others = NULL;
    }
    arrfree(others);
    arrfree(atoms);
    return decided;
}

static bool holds_complement(smt_t *list)
{
    for (size_t i = 0; i < arrlenu(list); i++) {
        if (list[i]->kind == SMT_NOT && has(list, list[i]->args[0]))
            return true;
        smt_t negation = smt_node_of(list[i])->negation;
        if (negation && has(list, negation))
            return true;
    }
    return false;
}

/* Makes a conjunction or disjunction: nested ones of the same kind are taken apart, comparisons of
 * one term are merged, and a part together with its negation decides the whole. */
static smt_t connect(smt_ctx *ctx, smt_kind kind, size_t n, const smt_t *args)
{
    smt_t neutral = smt_bool_const(ctx, kind == SMT_AND);
    smt_t absorbing = smt_bool_const(ctx, kind != SMT_AND);
    smt_t *list = NULL;
    for (size_t i = 0; i < n; i++) {
        if (args[i] == absorbing) {
            arrfree(list);
            return absorbing;
        }
        if (args[i]->kind == kind && args[i]->n_args <= MAX_TAKEN_APART) {
            for (uint32_t k = 0; k < args[i]->n_args; k++)
                arrput(list, args[i]->args[k]);
        } else if (args[i] != neutral) {
            arrput(list, args[i]);
        }
    }
    sort_unique(list);
    smt_t result = NULL;
    if (arrlenu(list) > 1 && merge_comparisons(ctx, kind == SMT_AND, &list))
        result = absorbing;
    sort_unique(list);
    if (!result && (holds_complement(list) || has(list, absorbing)))
        result = absorbing;
    if (!result && arrlenu(list) > 0 && list[0] == neutral)
        arrdel(list, 0); /* ids of the constants are the lowest */
    size_t left = arrlenu(list);
    if (!result && left == 0)
        result = neutral;
    if (!result && left == 1)
        result = list[0];
    if (!result)
        result = smt_intern(
            ctx, &(struct smt_term){.kind = kind, .n_args = (uint32_t)left, .args = list});
    arrfree(list);
    return result;
}

smt_t smt_and_n(smt_ctx *ctx, size_t n, const smt_t *args)
{
    return connect(ctx, SMT_AND, n, args);
}

smt_t smt_or_n(smt_ctx *ctx, size_t n, const smt_t *args)
{
    return connect(ctx, SMT_OR, n, args);
}

smt_t smt_and(smt_ctx *ctx, smt_t a, smt_t b)
{
    TR_ASSERT(smt_is_bool(a) && smt_is_bool(b));
    return connect(ctx, SMT_AND, 2, (smt_t[]){a, b});
}

smt_t smt_or(smt_ctx *ctx, smt_t a, smt_t b)
{
    TR_ASSERT(smt_is_bool(a) && smt_is_bool(b));
    return connect(ctx, SMT_OR, 2, (smt_t[]){a, b});
}

smt_t smt_implies(smt_ctx *ctx, smt_t a, smt_t b)
{
    TR_ASSERT(smt_is_bool(a) && smt_is_bool(b));
    return smt_or(ctx, smt_not(ctx, a), b);
}

smt_t smt_iff(smt_ctx *ctx, smt_t a, smt_t b)
{
    TR_ASSERT(smt_is_bool(a) && smt_is_bool(b));
    return smt_ite(ctx, a, b, smt_not(ctx, b));
}

/* ---- Section: If-then-else, min, max ---- */

static smt_int least(smt_int a, smt_int b)
{
    return a < b ? a : b;
}

static smt_int greatest(smt_int a, smt_int b)
{
    return a > b ? a : b;
}

static smt_t ite_node(smt_ctx *ctx, smt_t condition, smt_t yes, smt_t no, smt_range range)
{
    smt_t args[3] = {condition, yes, no};
    return smt_intern(
        ctx, &(struct smt_term){
                 .kind = SMT_ITE, .n_args = 3, .args = args, .low = range.low, .high = range.high});
}

/* Both are if a <= b, of the terms in the order of their ids: so that min(a, b) is min(b, a). */
static smt_t min_max(smt_ctx *ctx, smt_t a, smt_t b, bool is_min)
{
    if (a->id > b->id) {
        smt_t swap = a;
        a = b;
        b = swap;
    }
    smt_t condition = smt_le(ctx, a, b);
    if (condition->kind == SMT_TRUE)
        return is_min ? a : b;
    if (condition->kind == SMT_FALSE)
        return is_min ? b : a;
    smt_range range = {is_min ? least(a->low, b->low) : greatest(a->low, b->low),
                       is_min ? least(a->high, b->high) : greatest(a->high, b->high)};
    return ite_node(ctx, condition, is_min ? a : b, is_min ? b : a, range);
}

smt_t smt_min(smt_ctx *ctx, smt_t a, smt_t b)
{
    return min_max(ctx, a, b, true);
}

smt_t smt_max(smt_ctx *ctx, smt_t a, smt_t b)
{
    return min_max(ctx, a, b, false);
}

int smt_is_min_max(smt_t term, smt_t *x, smt_t *y)
{
    if (term->kind != SMT_ITE || term->args[0]->kind != SMT_LE)
        return 0;
    /* min_max orders by ids and its condition says "the first is not greater". */
    smt_t yes = term->args[1], no = term->args[2], sum = term->args[0]->args[0];
    smt_poly difference = {0};
    smt_poly_add(&difference, yes, 1);
    smt_poly_add(&difference, no, -1);
    smt_poly_settle(&difference);
    /* sum is (yes - no) or (no - yes), divided by what divides all coefficients */
    int sign = 0;
    size_t n = arrlenu(difference.items);
    if (!difference.too_big && n > 0 && n == smt_n_monos(sum)) {
        smt_int factor = difference.items[0].coef / smt_mono_at(sum, 0).coef;
        bool same = factor != 0;
        for (size_t i = 0; i < n && same; i++) {
            smt_mono mono = smt_mono_at(sum, i);
            smt_int product;
            same = mono.term == difference.items[i].term &&
                   smt_safe_mul(mono.coef, factor, &product) && product == difference.items[i].coef;
        }
        /* yes <= no exactly where sum <= 0: the constant, rounded as smt_le does */
        smt_int size = factor < 0 ? -factor : factor;
        smt_int constant = factor < 0 ? -difference.value : difference.value;
        if (same && smt_constant_part(sum) == -smt_floor_div(-constant, size))
            sign = factor > 0 ? 1 : -1;
    }
    smt_poly_free(&difference);
    if (sign != 0) {
        *x = yes;
        *y = no;
    }
    return sign;
}

/* The condition compares the branches: then it is a min or a max. */
static smt_t as_min_max(smt_ctx *ctx, smt_t condition, smt_t yes, smt_t no)
{
    if (condition->kind != SMT_LE && condition->kind != SMT_EQ)
        return NULL;
    if (condition == smt_le(ctx, yes, no) || condition == smt_lt(ctx, yes, no))
        return smt_min(ctx, yes, no);
    if (condition == smt_ge(ctx, yes, no) || condition == smt_gt(ctx, yes, no))
        return smt_max(ctx, yes, no);
    return NULL;
}

static smt_t bool_ite(smt_ctx *ctx, smt_t condition, smt_t yes, smt_t no)
{
    return smt_or(ctx, smt_and(ctx, condition, yes), smt_and(ctx, smt_not(ctx, condition), no));
}

/* The branch's range where the condition bounds that very branch. */
static smt_range branch_range(smt_ctx *ctx, smt_t condition, smt_t branch)
{
    smt_range range = smt_range_of(branch);
    smt_atom atom;
    if (!smt_atom_of(ctx, condition, &atom))
        return range;
    int sign = atom.form == branch ? 1 : smt_neg(ctx, atom.form) == branch ? -1 : 0;
    smt_int number = sign * atom.number;
    bool above = atom.relation == (sign > 0 ? SMT_IS_GE : SMT_IS_LE);
    bool below = atom.relation == (sign > 0 ? SMT_IS_LE : SMT_IS_GE);
    if (sign != 0 && above)
        range.low = greatest(range.low, number);
    if (sign != 0 && below)
        range.high = least(range.high, number);
    return range;
}

smt_t smt_ite(smt_ctx *ctx, smt_t condition, smt_t yes, smt_t no)
{
    if (condition->kind == SMT_TRUE || yes == no)
        return yes;
    if (condition->kind == SMT_FALSE)
        return no;
    if (smt_is_bool(yes))
        return bool_ite(ctx, condition, yes, no);
    /* If both a condition and its negation exist, the older term is used. */
    smt_t negation = smt_not(ctx, condition);
    if (negation->id < condition->id) {
        smt_t swap = yes;
        yes = no;
        no = swap;
        condition = negation;
    }
    if (yes->kind == SMT_ITE && yes->args[0] == condition)
        yes = yes->args[1];
    if (no->kind == SMT_ITE && no->args[0] == condition)
        no = no->args[2];
    if (yes == no)
        return yes;
    smt_t folded = as_min_max(ctx, condition, yes, no);
    if (folded)
        return folded;
    smt_range a = branch_range(ctx, condition, yes);
    smt_range b = branch_range(ctx, smt_not(ctx, condition), no);
    return ite_node(ctx, condition, yes, no,
                    (smt_range){least(a.low, b.low), greatest(a.high, b.high)});
}

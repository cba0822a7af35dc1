/* Finds what to change so that a term gets a wanted value: wishes go down from a fact to the
 * leaves, each operation turned round with the values that its other operands have now. They are
 * guesses: the cost of each change is found by evaluating. */
#include "strategies/moves.h"

#include "strategies/assignment.h"
#include "strategies/strategy.h"
#include "terms/poly.h"
#include "terms/range.h"

#include "base/ds.h"

enum { MAX_CHANGES = 40, MAX_DEPTH = 30, MAX_WISHES = 4000 };

typedef enum wish_kind { AT_MOST, AT_LEAST, EXACTLY } wish_kind;

typedef struct wish { /* what a number should become */
    wish_kind kind;
    smt_int value;
} wish;

static void want_number(repair *r, uint32_t place, wish w, int depth);
static void want_truth(repair *r, uint32_t place, bool truth, int depth);

/* Terms share their parts, and there are more ways down to a leaf than terms: what is wished of one
 * by a thousand ways is mostly the same. */
static bool may_go_on(repair *r, int depth)
{
    return depth > 0 && r->wishes++ < MAX_WISHES && arrlenu(r->changes) < MAX_CHANGES;
}

static void change_leaf(repair *r, uint32_t leaf, smt_int value)
{
    value = repair_within(r->order.terms[leaf], value);
    if (value == r->own[leaf] || arrlenu(r->changes) >= MAX_CHANGES)
        return;
    for (size_t i = 0; i < arrlenu(r->changes); i++)
        if (r->changes[i].leaf == leaf && r->changes[i].value == value)
            return;
    arrput(r->changes, ((repair_change){leaf, value}));
}

/* The value may be that of an application to the same arguments: then that one's is changed, or an
 * argument, so that the two are no longer alike. */
static void want_leaf(repair *r, uint32_t leaf, smt_int value, int depth)
{
    uint32_t first = repair_first_alike(r, leaf);
    change_leaf(r, first, value);
    for (uint32_t k = 0; first != leaf && k < r->order.terms[leaf]->n_args; k++) {
        uint32_t child = repair_child(r, leaf, k);
        smt_int apart = r->values[child].number + 1 + (smt_int)repair_random(r, 100);
        want_number(r, child, (wish){EXACTLY, apart}, depth);
    }
}

static smt_int ceil_div(smt_int a, smt_int b) /* b > 0 */
{
    return -smt_floor_div(-a, b);
}

static bool is_met(wish w, smt_int value)
{
    return w.kind == AT_MOST    ? value <= w.value
           : w.kind == AT_LEAST ? value >= w.value
                                : value == w.value;
}

/* Returns what x has to be for factor * x to meet the wish; the nearest where none does exactly. */
static wish divided(wish w, smt_int factor)
{
    smt_int value = w.value;
    wish_kind kind = w.kind;
    if (factor < 0) {
        factor = -factor;
        value = -value;
        kind = kind == AT_MOST ? AT_LEAST : kind == AT_LEAST ? AT_MOST : EXACTLY;
    }
    return (wish){kind, kind == AT_LEAST ? ceil_div(value, factor) : smt_floor_div(value, factor)};
}

static void want_sum(repair *r, uint32_t place, wish w, int depth)
{
    smt_t sum = r->order.terms[place];
    smt_int now = r->values[place].number;
    for (uint32_t k = 0; k < sum->n_args; k++) {
        uint32_t child = repair_child(r, place, k);
        smt_int product, rest;
        if (!smt_safe_mul(sum->coefs[k], r->values[child].number, &product) ||
            !smt_safe_add(w.value, product - now, &rest))
            continue;
        want_number(r, child, divided((wish){w.kind, rest}, sum->coefs[k]), depth);
    }
}

static void want_product(repair *r, uint32_t place, wish w, int depth)
{
    smt_t product = r->order.terms[place];
    for (uint32_t k = 0; k < product->n_args; k++) {
        smt_int others = 1;
        uint32_t child = repair_child(r, place, k), zero = UINT32_MAX;
        if (k > 0 && child == repair_child(r, place, k - 1))
            continue; /* a power: its factors stand side by side, and are wished the same */
        for (uint32_t i = 0; i < product->n_args; i++) {
            smt_int factor = r->values[repair_child(r, place, i)].number;
            if (i == k)
                continue;
            if (factor == 0)
                zero = repair_child(r, place, i);
            if (!smt_safe_mul(others, factor, &others))
                return;
        }
        if (zero == UINT32_MAX && others != 0)
            want_number(r, child, divided(w, others), depth);
        else if (zero != UINT32_MAX)
            want_number(r, zero, (wish){AT_LEAST, 1}, depth);
    }
}

static void want_quotient(repair *r, uint32_t place, wish w, int depth)
{
    uint32_t over = repair_child(r, place, 0), under = repair_child(r, place, 1);
    smt_int a = r->values[over].number, b = r->values[under].number, low, high;
    if (b < 0) {
        want_number(r, under, (wish){AT_LEAST, 1}, depth);
        return;
    }
    /* value <= a div b < value + 1 */
    if (smt_safe_mul(w.value, b, &low) && smt_safe_add(low, b - 1, &high)) {
        if (w.kind == EXACTLY)
            want_number(r, over, (wish){EXACTLY, a < low ? low : high}, depth);
        else
            want_number(r, over, (wish){w.kind, w.kind == AT_MOST ? high : low}, depth);
    }
    bool down = w.kind == AT_MOST || (w.kind == EXACTLY && r->values[place].number > w.value);
    if (down && w.value >= 0 && a >= 0)
        want_number(r, under, (wish){AT_LEAST, a / (w.value + 1) + 1}, depth);
    else if (!down && w.value > 0 && a > 0)
        want_number(r, under, (wish){AT_MOST, a / w.value > 0 ? a / w.value : 1}, depth);
}

static void want_remainder(repair *r, uint32_t place, wish w, int depth)
{
    uint32_t over = repair_child(r, place, 0), under = repair_child(r, place, 1);
    smt_int a = r->values[over].number, b = r->values[under].number;
    smt_int size = b < 0 ? -b : b, now = r->values[place].number;
    if (w.value >= size)
        want_number(r, under, (wish){AT_LEAST, w.value + 1}, depth);
    if (w.value < 0)
        return;
    smt_int goal = w.value < size ? w.value : size - 1;
    want_number(r, over, (wish){EXACTLY, a - now + goal}, depth);
    want_number(r, over, (wish){EXACTLY, a - now + goal + (goal < now ? size : -size)}, depth);
    if (w.kind == AT_MOST && goal > 0)
        want_number(r, over, (wish){EXACTLY, a - now}, depth);
    if (w.kind != AT_LEAST && a >= 0 && w.value == a) /* a mod b is a for a greater b */
        want_number(r, under, (wish){AT_LEAST, a + 1}, depth);
    if (w.kind != AT_LEAST && w.value == 0 && a != 0) {
        want_number(r, under, (wish){EXACTLY, a < 0 ? -a : a}, depth);
        want_number(r, under, (wish){EXACTLY, 1}, depth);
    }
}

static void want_choice(repair *r, uint32_t place, wish w, int depth)
{
    uint32_t condition = repair_child(r, place, 0);
    bool now = r->values[condition].number != 0;
    uint32_t taken = repair_child(r, place, now ? 1 : 2),
             other = repair_child(r, place, now ? 2 : 1);
    want_number(r, taken, w, depth);
    if (!r->values[other].known || is_met(w, r->values[other].number))
        want_truth(r, condition, !now, depth);
}

static void want_bits(repair *r, uint32_t place, smt_bits_op op, wish w, int depth)
{
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t child = repair_child(r, place, k), other = repair_child(r, place, 1 - k);
        smt_int value = op == SMT_BITS_XOR ? (w.value ^ r->values[other].number) : w.value;
        want_number(r, child, (wish){EXACTLY, value}, depth);
    }
}

/* A division by 0 below it. What is wished of a term is the same each time. */
static void want_defined(repair *r, uint32_t place, int depth)
{
    smt_t term = r->order.terms[place];
    if (r->wished[place] == r->proposal || !may_go_on(r, depth))
        return;
    r->wished[place] = r->proposal;
    for (uint32_t k = 0; k < term->n_args; k++) {
        uint32_t child = repair_child(r, place, k);
        if (!r->values[child].known)
            want_defined(r, child, depth);
        else if ((term->kind == SMT_DIV || term->kind == SMT_MOD) && k == 1 &&
                 r->values[child].number == 0)
            want_number(r, child, (wish){AT_LEAST, 1}, depth);
    }
}

static void want_number(repair *r, uint32_t place, wish w, int depth)
{
    smt_t term = r->order.terms[place];
    smt_bits_op op;
    if (!may_go_on(r, depth))
        return;
    if (!r->values[place].known) {
        want_defined(r, place, depth - 1);
        return;
    }
    if (is_met(w, r->values[place].number))
        return;
    switch (term->kind) {
    case SMT_SUM:
        want_sum(r, place, w, depth - 1);
        break;
    case SMT_PROD:
        want_product(r, place, w, depth - 1);
        break;
    case SMT_NAMED:
        want_number(r, repair_child(r, place, 0), w, depth - 1);
        break;
    case SMT_DIV:
        want_quotient(r, place, w, depth - 1);
        break;
    case SMT_MOD:
        want_remainder(r, place, w, depth - 1);
        break;
    case SMT_ITE:
        want_choice(r, place, w, depth - 1);
        break;
    default:
        if (repair_is_leaf(term))
            want_leaf(r, place, w.value, depth - 1);
        else if (smt_is_bits(term, &op))
            want_bits(r, place, op, w, depth - 1);
    }
}

static void want_truth(repair *r, uint32_t place, bool truth, int depth)
{
    smt_t term = r->order.terms[place];
    if (!may_go_on(r, depth))
        return;
    if (!r->values[place].known) {
        want_defined(r, place, depth - 1);
        if (term->kind != SMT_AND && term->kind != SMT_OR)
            return;
    } else if ((r->values[place].number != 0) == truth) {
        return;
    }
    uint32_t child = term->n_args > 0 ? repair_child(r, place, 0) : place;
    switch (term->kind) {
    case SMT_NOT:
        want_truth(r, child, !truth, depth - 1);
        break;
    case SMT_AND:
    case SMT_OR:
        for (uint32_t k = 0; k < term->n_args; k++)
            want_truth(r, repair_child(r, place, k), truth, depth - 1);
        break;
    case SMT_LE:
        want_number(r, child, truth ? (wish){AT_MOST, 0} : (wish){AT_LEAST, 1}, depth - 1);
        break;
    case SMT_EQ:
        if (truth) {
            want_number(r, child, (wish){EXACTLY, 0}, depth - 1);
        } else {
            want_number(r, child, (wish){AT_LEAST, 1}, depth - 1);
            want_number(r, child, (wish){AT_MOST, -1}, depth - 1);
        }
        break;
    default:
        if (repair_is_leaf(term))
            want_leaf(r, place, truth, depth - 1);
    }
}

void repair_propose(repair *r, uint32_t place)
{
    arrsetlen(r->changes, 0);
    r->wishes = 0;
    r->proposal++;
    want_truth(r, place, true, MAX_DEPTH);
    r->all_wishes += r->wishes;
}

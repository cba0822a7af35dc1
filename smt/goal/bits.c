/* Laws of bit operations that stay functions, for the operands that a goal has. */
#include "goal/bits.h"

#include "goal/goal.h"
#include "terms/walk.h"

#include "base/ds.h"

enum { MAX_PAIRS = 60 };

static smt_t implies_equal(smt_ctx *ctx, smt_t a, smt_t b, smt_t c, smt_t d)
{
    return smt_or(ctx, smt_ne(ctx, a, b), smt_eq(ctx, c, d));
}

static void add_both_ways(smt_ctx *ctx, smt_goal *goal, smt_t a, smt_t b, smt_t c, smt_t d)
{
    smt_goal_add(goal, implies_equal(ctx, a, b, c, d));
    smt_goal_add(goal, implies_equal(ctx, c, d, a, b));
}

/* Bounds of the result: for numbers that are not negative it is not negative, and it has no bit
 * that no operand has. */
static void add_bounds(smt_ctx *ctx, smt_goal *goal, smt_bits_op op, smt_t term)
{
    smt_t a = term->args[0], b = term->args[1], zero = smt_int_const(ctx, 0);
    smt_t natural = smt_and(ctx, smt_le(ctx, zero, a), smt_le(ctx, zero, b));
    smt_t bounds = smt_le(ctx, zero, term);
    if (op == SMT_BITS_AND) {
        bounds = smt_and(ctx, bounds, smt_le(ctx, term, smt_min(ctx, a, b)));
    } else {
        bounds = smt_and(ctx, bounds, smt_le(ctx, term, smt_add(ctx, a, b)));
        smt_t least = op == SMT_BITS_OR ? smt_max(ctx, a, b) : smt_sub(ctx, a, b);
        bounds = smt_and(ctx, bounds, smt_le(ctx, least, term));
        if (op == SMT_BITS_XOR)
            bounds = smt_and(ctx, bounds, smt_le(ctx, smt_sub(ctx, b, a), term));
    }
    smt_goal_add(goal, smt_implies(ctx, natural, bounds));
}

/* x ^ d = x only for d = 0, and 0 only for x = d. */
static void add_fixed_points(smt_ctx *ctx, smt_goal *goal, smt_t term)
{
    smt_t a = term->args[0], b = term->args[1], zero = smt_int_const(ctx, 0);
    add_both_ways(ctx, goal, term, a, b, zero);
    add_both_ways(ctx, goal, term, b, a, zero);
    add_both_ways(ctx, goal, term, zero, a, b);
}

/* x ^ d and y ^ d: equal only for x = y, and each is the other's way back. */
static bool add_involution(smt_ctx *ctx, smt_goal *goal, smt_t f, smt_t g)
{
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            if (f->args[i] != g->args[k])
                continue;
            smt_t x = f->args[1 - i], y = g->args[1 - k];
            add_both_ways(ctx, goal, f, g, x, y);
            add_both_ways(ctx, goal, f, y, g, x);
            return true;
        }
    }
    return false;
}

void smt_goal_add_bits(smt_ctx *ctx, smt_goal *goal)
{
    smt_order order;
    smt_t *found = NULL;
    smt_bits_op op, other;
    int pairs = 0;
    smt_order_make(&order, arrlenu(goal->facts), goal->facts);
    for (size_t i = 0; i < smt_order_count(&order); i++)
        if (smt_is_bits(order.terms[i], &op))
            arrput(found, order.terms[i]);
    smt_order_free(&order);
    for (size_t i = 0; i < arrlenu(found); i++) {
        smt_is_bits(found[i], &op);
        add_bounds(ctx, goal, op, found[i]);
        if (op != SMT_BITS_XOR)
            continue;
        add_fixed_points(ctx, goal, found[i]);
        for (size_t k = 0; k < i && pairs < MAX_PAIRS; k++)
            if (smt_is_bits(found[k], &other) && other == op)
                pairs += add_involution(ctx, goal, found[i], found[k]);
    }
    arrfree(found);
}

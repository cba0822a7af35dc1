/* Goals: simplification may lose nothing, and what free proofs rely on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "smt/goal.h"

static smt_t number(smt_ctx *c, smt_int value)
{
    return smt_int_const(c, value);
}

/* A disequality with a min in it decides nothing of itself. */
static void test_own_parts(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_t x = smt_var(c, "x", 0, 100), y = smt_var(c, "y", 0, 100), z = smt_var(c, "z", 0, 100);
    smt_t m = smt_min(c, z, y), n = smt_min(c, x, z);
    smt_t facts[] = {smt_ne(c, smt_mul(c, x, m), smt_mul(c, y, n))};
    smt_goal goal;
    smt_goal_init(&goal, 1, facts);
    smt_goal_simplify(c, &goal, SMT_ELIMINATE_LINEAR);
    assert_false(goal.is_false);
    assert_int_equal(arrlenu(goal.facts), 1);
    smt_goal_free(&goal);
    smt_ctx_free(c);
}

/* What is eliminated leaves its range behind. */
static void test_ranges_stay(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_t x = smt_var(c, "x", 3, 9), y = smt_var(c, "y", -50, 50), z = smt_var(c, "z", -50, 50);
    smt_t facts[] = {smt_eq(c, x, smt_add(c, y, z)), smt_ge(c, smt_add(c, y, z), number(c, 10))};
    smt_goal goal;
    smt_goal_init(&goal, 2, facts);
    smt_goal_simplify(c, &goal, SMT_ELIMINATE_LINEAR);
    assert_true(goal.is_false);
    smt_goal_free(&goal);
    facts[1] = smt_le(c, smt_add(c, y, z), number(c, 2));
    smt_goal_init(&goal, 2, facts);
    smt_goal_simplify(c, &goal, SMT_ELIMINATE_LINEAR);
    assert_true(goal.is_false);
    smt_goal_free(&goal);
    smt_ctx_free(c);
}

static void test_mixed_radix(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_t x = smt_var(c, "x", 0, 1 << 20), y = smt_var(c, "y", 0, 1 << 20);
    smt_t e = smt_var(c, "e", 0, 127), f = smt_var(c, "f", 0, 127);
    smt_t facts[] = {
        smt_eq(c, smt_add(c, smt_scale(c, x, 128), e), smt_add(c, smt_scale(c, y, 128), f)),
        smt_or(c, smt_ne(c, x, y), smt_ne(c, e, f))};
    smt_goal goal;
    smt_goal_init(&goal, 2, facts);
    smt_goal_simplify(c, &goal, SMT_ELIMINATE_LINEAR);
    assert_true(goal.is_false);
    smt_goal_free(&goal);
    smt_ctx_free(c);
}

/* p < m*n with p >= 0 says that m and n are positive; p = 8*n*g + r says that 8*g < m. */
static void test_products(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_t m = smt_var(c, "m", 0, 1 << 20), n = smt_var(c, "n", 0, 1 << 20);
    smt_t g = smt_var(c, "g", 0, 1 << 20), r = smt_var(c, "r", 0, 1 << 20);
    smt_t p = smt_add(c, smt_scale(c, smt_mul(c, n, g), 8), r);
    smt_t facts[] = {smt_lt(c, p, smt_mul(c, m, n)), smt_le(c, m, smt_scale(c, g, 8))};
    smt_goal goal;
    smt_goal_init(&goal, 2, facts);
    smt_goal_simplify(c, &goal, SMT_ELIMINATE_LINEAR);
    assert_true(goal.is_false);
    smt_goal_free(&goal);
    smt_ctx_free(c);
}

static void test_shows(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_t h = smt_var(c, "h", 0, SMT_NO_HIGH), count = smt_var(c, "H", 0, SMT_NO_HIGH);
    smt_t stride = smt_var(c, "S", 0, SMT_NO_HIGH), all = smt_var(c, "T", 0, SMT_NO_HIGH);
    smt_t column = smt_var(c, "c", 0, SMT_NO_HIGH);
    smt_t facts[] = {smt_lt(c, h, count), smt_lt(c, column, stride),
                     smt_le(c, smt_mul(c, count, stride), all)};
    smt_goal goal;
    smt_goal_init(&goal, 3, facts);
    smt_t at = smt_add(c, smt_mul(c, h, stride), column);
    smt_t below = smt_add(c, smt_sub(c, at, all), number(c, 1));
    assert_true(smt_goal_shows(c, &goal, below, SMT_QUICKLY));
    assert_false(smt_goal_shows(c, &goal, smt_add(c, below, number(c, 1)), SMT_THOROUGHLY));
    smt_goal_free(&goal);
    smt_ctx_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_parts),   cmocka_unit_test(test_ranges_stay),
        cmocka_unit_test(test_mixed_radix), cmocka_unit_test(test_products),
        cmocka_unit_test(test_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

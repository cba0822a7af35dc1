/* Goals: simplification may lose nothing, and what free proofs rely on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/ds.h"
#include "goal/bits.h"
#include "goal/facts.h"
#include "goal/goal.h"
#include "goal/linear.h"
#include "solver/answer.h"
#include "solver/prover.h"
#include "strategies/prove.h"

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

typedef struct triple {
    smt_t names[3];
    smt_int values[3];
} triple;

static bool lookup_triple(void *user, smt_t term, size_t n_args, const smt_int *args,
                          smt_int *value)
{
    triple *t = user;
    (void)args;
    for (int i = 0; i < 3 && n_args == 0; i++) {
        if (t->names[i] == term) {
            *value = t->values[i];
            return true;
        }
    }
    return false;
}

/* Every law that a goal gets of its bit operations holds, whatever the operands. */
static void test_bits(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    triple t = {.names = {smt_var(c, "x", -9, 9), smt_var(c, "y", -9, 9), smt_var(c, "d", -9, 9)}};
    smt_t x = t.names[0], y = t.names[1], d = t.names[2], facts[6];
    size_t n = 0;
    for (int op = SMT_BITS_AND; op <= SMT_BITS_XOR; op++) {
        smt_t f = smt_bits(c, (smt_bits_op)op, 32, x, d),
              g = smt_bits(c, (smt_bits_op)op, 32, d, y);
        smt_bits_op found;
        assert_true(smt_is_bits(f, &found));
        assert_int_equal(found, op);
        facts[n++] = smt_le(c, f, g);
        facts[n++] = smt_le(c, smt_add(c, x, g), f);
    }
    smt_goal goal;
    smt_goal_init(&goal, n, facts);
    smt_goal_add_bits(c, &goal);
    assert_true(arrlenu(goal.facts) > n + 10);
    for (size_t i = n; i < arrlenu(goal.facts); i++) {
        for (int at = 0; at < 19 * 19 * 19; at++) {
            smt_int truth = 0;
            t.values[0] = at % 19 - 9;
            t.values[1] = at / 19 % 19 - 9;
            t.values[2] = at / 361 - 9;
            assert_true(smt_eval(goal.facts[i], lookup_triple, &t, &truth));
            assert_true(truth);
        }
    }
    smt_goal_free(&goal);
    smt_ctx_free(c);
}

/* What arithmetic says of a bit operation with a constant is the same number. */
static void test_bits_of_constants(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    triple t = {.names = {smt_var(c, "x", -40, 40)}};
    for (int op = SMT_BITS_AND; op <= SMT_BITS_XOR; op++) {
        for (int k = -20; k <= 20; k++) {
            smt_t term = smt_bits(c, (smt_bits_op)op, 8, t.names[0], number(c, k));
            for (int x = -40; x <= 40; x++) {
                int want = op == SMT_BITS_AND ? (x & k) : op == SMT_BITS_OR ? (x | k) : (x ^ k);
                smt_int got = 0;
                t.values[0] = x;
                assert_true(smt_eval(term, lookup_triple, &t, &got));
                assert_int_equal((long)got, want);
            }
        }
    }
    smt_t d = smt_var(c, "d", 0, 9), once = smt_bits(c, SMT_BITS_XOR, 8, t.names[0], d);
    assert_ptr_equal(smt_bits(c, SMT_BITS_XOR, 8, d, once), t.names[0]);
    assert_ptr_equal(smt_bits(c, SMT_BITS_XOR, 8, once, t.names[0]), d);
    assert_ptr_equal(smt_guess_instance(c, once, 1, &d, &t.names[0]), number(c, 0));
    smt_ctx_free(c);
}

/* Of 0 and 1 bit operations are those of booleans. */
static void test_bits_of_booleans(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    triple t = {.names = {smt_var(c, "x", 0, 1), smt_var(c, "y", 0, 1)}};
    for (int op = SMT_BITS_AND; op <= SMT_BITS_XOR; op++) {
        smt_t term = smt_bits(c, (smt_bits_op)op, 8, t.names[0], t.names[1]);
        for (int at = 0; at < 4; at++) {
            int x = at & 1, y = at >> 1;
            smt_int got = 9;
            t.values[0] = x;
            t.values[1] = y;
            assert_true(smt_eval(term, lookup_triple, &t, &got));
            assert_int_equal((long)got, op == SMT_BITS_AND  ? (x & y)
                                        : op == SMT_BITS_OR ? (x | y)
                                                            : (x ^ y));
        }
    }
    smt_ctx_free(c);
}

/* x is told by its digits in a mixed radix whose places are variables: x / (a * b), x / a % b and
 * x % a. Without one of them it is not. */
static void test_symbolic_places(void **state)
{
    (void)state;
    enum { MANY = 1 << 20 };
    for (int left_out = 0; left_out < 4; left_out++) {
        smt_ctx *c = smt_ctx_new();
        smt_t x[2] = {smt_var(c, "x", 0, MANY), smt_var(c, "y", 0, MANY)}, digits[2][3], facts[4];
        smt_t a = smt_var(c, "a", 1, MANY), b = smt_var(c, "b", 1, MANY);
        size_t n = 0;
        for (int i = 0; i < 2; i++) {
            digits[i][0] = smt_div(c, x[i], smt_mul(c, a, b));
            digits[i][1] = smt_mod(c, smt_div(c, x[i], a), b);
            digits[i][2] = smt_mod(c, x[i], a);
        }
        facts[n++] = smt_ne(c, x[0], x[1]);
        for (int k = 0; k < 3; k++)
            if (k != left_out)
                facts[n++] = smt_eq(c, digits[0][k], digits[1][k]);
        smt_prover *prover = smt_prover_new(c, &(smt_options){.solver = ""});
        smt_verdict verdict = smt_check(prover, n, facts, 1000000, "places").verdict;
        if (left_out == 3)
            assert_int_equal(verdict, SMT_UNSAT);
        else
            assert_int_not_equal(verdict, SMT_UNSAT);
        smt_prover_free(prover);
        smt_ctx_free(c);
    }
}

/* Of what is eliminated, only bounds that are near stay, where that was asked for; and the goal
 * says that it lost one. */
static void test_far_bounds(void **state)
{
    (void)state;
    const smt_int near = 1 << 20;
    for (int beyond = 0; beyond < 2; beyond++)
        for (int side = 0; side < 2; side++) {
            smt_ctx *c = smt_ctx_new();
            smt_t x = smt_var(c, "x", side ? -near - beyond : -9, side ? 9 : near + beyond);
            smt_t y = smt_var(c, "y", SMT_NO_LOW, SMT_NO_HIGH);
            smt_goal goal;
            smt_goal_init(&goal, 0, NULL);
            goal.no_far_bounds = true;
            smt_goal_define(c, &goal, x, y);
            assert_int_equal(arrlenu(goal.facts), beyond ? 1 : 2);
            assert_int_equal(goal.weakened, beyond);
            smt_goal_free(&goal);
            smt_ctx_free(c);
        }
}

/* So many large facts as are worth it are decided by a fact that they all speak of. */
static void test_large_facts(void **state)
{
    (void)state;
    enum { WORTH_IT = 64, LARGE = 2100 };
    smt_ctx *c = smt_ctx_new();
    smt_t large = smt_var(c, "x", 0, 100), flag = smt_bvar(c, "flag"), facts[WORTH_IT + 1];
    for (int i = 0; i < LARGE; i++)
        large = smt_app(c, "next", 1, &large, 0, 100);
    facts[0] = smt_not(c, flag);
    for (int i = 1; i <= WORTH_IT; i++)
        facts[i] = smt_or(c, flag, smt_eq(c, large, number(c, i)));
    smt_goal goal;
    smt_goal_init(&goal, TR_COUNT(facts), facts);
    assert_true(smt_goal_use_facts(c, &goal));
    for (int i = 1; i <= WORTH_IT; i++)
        assert_ptr_equal(goal.facts[i], smt_eq(c, large, number(c, i)));
    smt_goal_free(&goal);
    smt_ctx_free(c);
}

static bool is_refuted(smt_ctx *c, size_t n, const smt_t *facts)
{
    smt_goal goal;
    smt_goal_init(&goal, n, facts);
    bool refuted = smt_goal_refute(c, &goal, 100000);
    assert_int_equal(goal.is_false, refuted);
    smt_goal_free(&goal);
    return refuted;
}

/* A comparison that the others contradict together, and an equation whose sum is below 0, or above
 * it, by what the others say. Without any one of them there is a solution. */
static void test_refuted_by_sums(void **state)
{
    (void)state;
    for (int shape = 0; shape < 3; shape++) {
        smt_ctx *c = smt_ctx_new();
        smt_t v[4], facts[3];
        for (int i = 0; i < 4; i++)
            v[i] =
                smt_var(c, (const char *const[]){"a", "b", "c", "d"}[i], SMT_NO_LOW, SMT_NO_HIGH);
        smt_t sum = smt_add(c, smt_scale(c, v[0], 2), smt_scale(c, v[1], 3));
        facts[0] = shape == 0 ? smt_le(c, v[0], v[1]) : smt_eq(c, sum, number(c, 0));
        facts[1] = shape == 0   ? smt_le(c, v[1], v[2])
                   : shape == 1 ? smt_le(c, smt_scale(c, v[0], 2), smt_scale(c, v[2], -5))
                                : smt_ge(c, smt_scale(c, v[0], 2), smt_scale(c, v[2], 5));
        facts[2] = shape == 0   ? smt_lt(c, v[2], v[0])
                   : shape == 1 ? smt_lt(c, smt_scale(c, v[1], 3), smt_scale(c, v[2], 5))
                                : smt_gt(c, smt_scale(c, v[1], 3), smt_scale(c, v[2], -5));
        assert_true(is_refuted(c, 3, facts));
        for (int k = 0; k < 3; k++) {
            smt_t fewer[] = {facts[(k + 1) % 3], facts[(k + 2) % 3]};
            assert_false(is_refuted(c, 2, fewer));
        }
        smt_ctx_free(c);
    }
}

/* That a predicate holds of a number says nothing of how large it is. */
static void test_predicates_bound_nothing(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    for (int sign = -1; sign <= 1; sign += 2) {
        smt_t x = smt_var(c, sign < 0 ? "x" : "y", sign < 0 ? -9 : 1, sign < 0 ? -1 : 9);
        smt_t fact = smt_bapp(c, "p", 1, &x);
        assert_false(is_refuted(c, 1, &fact));
    }
    smt_ctx_free(c);
}

/* Equal numbers of two digits have equal digits, whatever the radix, also where the equation gives
 * no variable that could be replaced. */
static void test_digits_of_any_radix(void **state)
{
    (void)state;
    enum { MANY = 1 << 20 };
    for (int factor = 1; factor <= 2; factor++)
        for (int bounded = 0; bounded < 2; bounded++) {
            smt_ctx *c = smt_ctx_new();
            smt_t radix = smt_var(c, "S", 1, MANY);
            smt_t i = smt_var(c, "i", 0, MANY), j = smt_var(c, "j", 0, MANY);
            smt_t a = smt_scale(c, smt_var(c, "a", 0, MANY), factor);
            smt_t b = smt_scale(c, smt_var(c, "b", 0, MANY), 2 * factor - 1);
            smt_t facts[] = {
                smt_eq(c, smt_add(c, smt_mul(c, i, radix), a), smt_add(c, smt_mul(c, j, radix), b)),
                smt_ne(c, i, j), smt_lt(c, a, radix), smt_lt(c, b, radix)};
            assert_int_equal(is_refuted(c, bounded ? 4 : 3, facts), bounded);
            smt_ctx_free(c);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_parts),
        cmocka_unit_test(test_ranges_stay),
        cmocka_unit_test(test_mixed_radix),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_shows),
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_bits_of_constants),
        cmocka_unit_test(test_bits_of_booleans),
        cmocka_unit_test(test_symbolic_places),
        cmocka_unit_test(test_far_bounds),
        cmocka_unit_test(test_large_facts),
        cmocka_unit_test(test_refuted_by_sums),
        cmocka_unit_test(test_predicates_bound_nothing),
        cmocka_unit_test(test_digits_of_any_radix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

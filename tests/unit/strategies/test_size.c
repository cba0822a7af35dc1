/* Sizes: terms grow linearly with the operations that made them, whatever those are, and what is
 * named because of its length has the value of what it stands for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "solver/answer.h"
#include "solver/prover.h"
#include "strategies/prove.h"

static int setup(void **state)
{
    *state = smt_ctx_new();
    return 0;
}

static int teardown(void **state)
{
    smt_ctx_free(*state);
    return 0;
}

static void count_one(void *user, smt_t term)
{
    (void)term;
    ++*(size_t *)user;
}

/* Distinct subterms. */
static size_t size_of(smt_ctx *ctx, smt_t term)
{
    size_t n = 0;
    smt_visit(ctx, term, count_one, &n);
    return n;
}

static void note_name(void *user, smt_t term)
{
    *(bool *)user |= term->kind == SMT_NAMED;
}

static bool has_name(smt_ctx *ctx, smt_t term)
{
    bool found = false;
    smt_visit(ctx, term, note_name, &found);
    return found;
}

static bool look_up(void *user, smt_t term, size_t n_args, const smt_int *args, smt_int *value)
{
    (void)args;
    *value = *(const smt_int *)user + (term->name[0] == 'n' ? 1 : 0);
    return n_args == 0;
}

static smt_int value_at(smt_t term, smt_int x)
{
    smt_int value = 0;
    assert_true(smt_eval(term, look_up, &x, &value));
    return value;
}

static smt_t variable(smt_ctx *ctx, const char *name)
{
    return smt_var(ctx, name, 0, 1000);
}

static smt_t square_often(smt_ctx *ctx, int times, smt_t more)
{
    smt_t x = variable(ctx, "x");
    for (int i = 0; i < times; i++)
        x = smt_add(ctx, smt_mul(ctx, x, x), more);
    return x;
}

static void test_squarings(void **state)
{
    smt_ctx *ctx = *state;
    smt_t zero = smt_int_const(ctx, 0), n = variable(ctx, "n");
    size_t plain_30 = size_of(ctx, square_often(ctx, 30, zero));
    size_t plain_60 = size_of(ctx, square_often(ctx, 60, zero));
    assert_true(plain_60 <= 2 * plain_30 + 8);
    size_t shifted_30 = size_of(ctx, square_often(ctx, 30, n));
    size_t shifted_60 = size_of(ctx, square_often(ctx, 60, n));
    assert_true(shifted_60 <= 2 * shifted_30 + 40);
    assert_true(shifted_60 < 60 * 450);
}

static void test_values_of_names(void **state)
{
    smt_ctx *ctx = *state;
    smt_t n = variable(ctx, "n");
    for (int times = 0; times < 6; times++) {
        smt_t term = square_often(ctx, times, n);
        for (smt_int x = 0; x < 4; x++) {
            smt_int want = x;
            for (int i = 0; i < times; i++)
                want = want * want + (x + 1);
            if (times < 5)
                assert_true(value_at(term, x) == want);
        }
        smt_int low, high;
        smt_bounds(term, &low, &high);
        assert_true(low >= 0);
    }
}

/* x^16 is named in pieces; with a number for x it is a number again. */
static void test_substituted_names(void **state)
{
    smt_ctx *ctx = *state;
    smt_t x = variable(ctx, "x"), two = smt_int_const(ctx, 2);
    smt_t power = square_often(ctx, 5, smt_int_const(ctx, 0));
    assert_true(has_name(ctx, power));
    smt_t number = smt_substitute(ctx, power, 1, &x, &two);
    assert_ptr_equal(number, smt_int_const(ctx, (smt_int)1 << 32));
    smt_t y = variable(ctx, "y");
    assert_ptr_equal(smt_sub(ctx, power, power), smt_int_const(ctx, 0));
    assert_ptr_not_equal(smt_substitute(ctx, power, 1, &x, &y), power);
}

/* A sum that gets one more summand with each operation: no summand is held more than a few hundred
 * times, so twice the operations are twice the size. */
static size_t grow_sum(smt_ctx *ctx, int n)
{
    smt_t sum = smt_int_const(ctx, 0);
    for (int i = 0; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "v%d", i);
        sum = smt_add(ctx, sum, variable(ctx, name));
    }
    assert_true(sum->high == 1000 * (smt_int)n);
    assert_true(sum->n_args <= 401);
    return size_of(ctx, sum);
}

static void test_long_sums(void **state)
{
    smt_ctx *ctx = *state;
    size_t once = grow_sum(ctx, 4000), twice = grow_sum(ctx, 8000);
    assert_true(twice <= 2 * once + 8);
}

/* A model is checked against what the name stands for: the solver, who is told the range alone of
 * what has a high degree, cannot make one up. */
static void test_no_wrong_models(void **state)
{
    smt_ctx *ctx = *state;
    smt_prover *prover = smt_prover_new(ctx, NULL);
    smt_t power = square_often(ctx, 5, smt_int_const(ctx, 0)); /* x^32 */
    smt_t never = smt_eq(ctx, power, smt_int_const(ctx, 3));
    assert_int_not_equal(smt_check(prover, 1, &never, 1000000, "power").verdict, SMT_SAT);
    smt_t at_two = smt_eq(ctx, power, smt_int_const(ctx, (smt_int)1 << 32));
    assert_int_not_equal(smt_check(prover, 1, &at_two, 1000000, "power").verdict, SMT_UNSAT);
    smt_prover_free(prover);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_squarings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_values_of_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_substituted_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_sums, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_wrong_models, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

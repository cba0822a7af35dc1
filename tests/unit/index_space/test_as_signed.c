/* What is read as a signed number and is none that the type holds: it wraps, exactly. */
#include "index_space/walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

typedef struct sketch {
    smt_ctx *ctx;
    summary s;
    ix_walk walk;
    smt_t wide, narrow, count; /* [0, 2^32), [1, 7], how often a loop ran */
} sketch;

static int open_sketch(void **state)
{
    sketch *k = test_calloc(1, sizeof *k);
    k->ctx = smt_ctx_new();
    smt_t any = smt_bool_const(k->ctx, true);
    k->s = (summary){.ctx = k->ctx, .launch = any};
    k->walk = (ix_walk){.s = &k->s, .ctx = k->ctx, .path = any, .facts = any};
    k->wide = smt_var(k->ctx, "wide", 0, UINT32_MAX);
    k->narrow = smt_var(k->ctx, "narrow", 1, 7);
    k->count = smt_private_var(k->ctx, "loop@1", 0, SMT_NO_HIGH);
    *state = k;
    return 0;
}

static int close_sketch(void **state)
{
    sketch *k = *state;
    smt_ctx_free(k->ctx);
    test_free(k);
    return 0;
}

static bool look_up(void *user, smt_t term, size_t n_args, const smt_int *args, smt_int *value)
{
    const sketch *k = user;
    (void)n_args, (void)args;
    *value = term == k->narrow ? 1 : (smt_int)UINT32_MAX - 4;
    return true;
}

static smt_int value_of(sketch *k, smt_t term)
{
    smt_int value = 0;
    assert_true(smt_eval(term, look_up, k, &value));
    return value;
}

static smt_t as_signed(sketch *k, smt_t term)
{
    return ix_as_signed(&k->walk, term, 32);
}

static void numbers_of_half_the_range_wrap(void **state)
{
    sketch *k = *state;
    assert_ptr_equal(as_signed(k, k->narrow), k->narrow);
    assert_ptr_equal(as_signed(k, k->count), k->count);
    assert_int_equal(value_of(k, as_signed(k, k->wide)), -5);
}

/* A quotient is no greater than its numerator, whatever it is divided by. */
static void quotients_go_by_their_numerator(void **state)
{
    sketch *k = *state;
    smt_t quotient = smt_div(k->ctx, k->count, k->wide);
    assert_ptr_equal(as_signed(k, quotient), quotient);
    assert_int_equal(value_of(k, as_signed(k, smt_div(k->ctx, k->wide, k->narrow))), -5);
}

/* A remainder is less than its divisor, whatever it is taken of. */
static void remainders_go_by_their_divisor(void **state)
{
    sketch *k = *state;
    smt_t remainder = smt_mod(k->ctx, k->wide, k->count);
    assert_ptr_equal(as_signed(k, remainder), remainder);
    smt_t other = smt_var(k->ctx, "other", 0, UINT32_MAX);
    smt_t wide = smt_mod(k->ctx, smt_add(k->ctx, k->wide, smt_int_const(k->ctx, -1)),
                         smt_add(k->ctx, other, smt_int_const(k->ctx, 0)));
    assert_int_equal(value_of(k, as_signed(k, wide)), -6);
}

/* Six divisions inside each other are looked through, and no more. */
static void nested_quotients_are_looked_through(void **state)
{
    sketch *k = *state;
    smt_t term = k->count;
    for (int i = 0; i < 6; i++) {
        char name[16];
        snprintf(name, sizeof name, "by%d", i);
        term = smt_div(k->ctx, term, smt_var(k->ctx, name, 0, UINT32_MAX));
        assert_ptr_equal(as_signed(k, term), term);
    }
    term = smt_div(k->ctx, term, k->wide);
    assert_ptr_not_equal(as_signed(k, term), term);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(numbers_of_half_the_range_wrap, open_sketch, close_sketch),
        cmocka_unit_test_setup_teardown(quotients_go_by_their_numerator, open_sketch, close_sketch),
        cmocka_unit_test_setup_teardown(remainders_go_by_their_divisor, open_sketch, close_sketch),
        cmocka_unit_test_setup_teardown(nested_quotients_are_looked_through, open_sketch,
                                        close_sketch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

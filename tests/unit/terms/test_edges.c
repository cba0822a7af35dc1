/* Terms at the edges: products without bounds, names of polynomials, deep negations, quantifiers
 * over nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "terms/bool.h"
#include "terms/poly.h"
#include "terms/range.h"

/* Nothing times whatever there is, without bounds or not, is nothing. */
static void test_product_ranges(void **state)
{
    (void)state;
    const smt_range natural = {0, SMT_NO_HIGH}, negative = {SMT_NO_LOW, 0},
                    any = {SMT_NO_LOW, SMT_NO_HIGH};
    const smt_range few = {-3, 0}, some = {0, 5}, none = {0, 0};
    const struct {
        smt_range a, b, product;
    } rows[] = {
        {natural, few, {SMT_NO_LOW, 0}},
        {natural, some, {0, SMT_NO_HIGH}},
        {negative, few, {0, SMT_NO_HIGH}},
        {negative, some, {SMT_NO_LOW, 0}},
        {natural, negative, {SMT_NO_LOW, 0}},
        {natural, natural, {0, SMT_NO_HIGH}},
        {negative, negative, {0, SMT_NO_HIGH}},
        {any, none, {0, 0}},
        {natural, none, {0, 0}},
        {negative, none, {0, 0}},
        {few, some, {-15, 0}},
        {any, some, {SMT_NO_LOW, SMT_NO_HIGH}},
    };
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        smt_range one = smt_range_mul(rows[i].a, rows[i].b);
        smt_range other = smt_range_mul(rows[i].b, rows[i].a);
        assert_true(one.low == rows[i].product.low && one.high == rows[i].product.high);
        assert_true(other.low == one.low && other.high == one.high);
    }
}

/* Sums and products get a name, once; what takes part in others as it is gets none. */
static void test_names(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_t x = smt_var(c, "x", 0, 9), y = smt_var(c, "y", 0, 9), five = smt_int_const(c, 5);
    smt_t nameless[] = {x,
                        five,
                        smt_min(c, x, y),
                        smt_div(c, x, y),
                        smt_mod(c, x, y),
                        smt_app(c, "f", 1, &x, 0, 9)};
    smt_t long_ones[] = {smt_add(c, x, y), smt_scale(c, x, 3), smt_mul(c, x, y)};
    for (size_t i = 0; i < TR_COUNT(nameless); i++)
        assert_ptr_equal(smt_name(c, nameless[i]), nameless[i]);
    for (size_t i = 0; i < TR_COUNT(long_ones); i++) {
        smt_t name = smt_name(c, long_ones[i]);
        assert_int_equal(name->kind, SMT_NAMED);
        assert_ptr_equal(name->args[0], long_ones[i]);
        assert_ptr_equal(smt_name(c, name), name);
    }
    smt_ctx_free(c);
}

/* Beyond so many alternations the negation stays in front, whichever is on top. */
static void test_deep_negation(void **state)
{
    (void)state;
    enum { LEVELS = 24 };
    smt_ctx *c = smt_ctx_new();
    smt_t term = smt_bvar(c, "p");
    for (int i = 0; i < LEVELS; i++) {
        tr_text name = {0};
        tr_text_addf(&name, "q%d", i);
        smt_t flag = smt_bvar(c, tr_text_get(&name));
        tr_text_free(&name);
        term = i % 2 ? smt_and(c, flag, term) : smt_or(c, flag, term);
        smt_t negation = smt_not(c, term);
        if (i < 16)
            assert_int_equal(negation->kind, i % 2 ? SMT_OR : SMT_AND);
        else
            assert_int_equal(negation->kind, SMT_NOT);
        assert_ptr_equal(smt_not(c, negation), term);
    }
    smt_ctx_free(c);
}

/* What a bound says of comparisons with other numbers: decided, or left as they are. */
static void test_decided_by_bounds(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_t x = smt_var(c, "x", -20, 20);
    for (int bound = -3; bound <= 3; bound++)
        for (int number = -5; number <= 5; number++) {
            smt_t b = smt_int_const(c, bound), n = smt_int_const(c, number);
            smt_t least = smt_ge(c, x, b), most = smt_le(c, x, b);
            bool below = number<bound, above = number> bound;
            smt_t same = smt_eq(c, x, n), other = smt_ne(c, x, n);
            smt_t under = smt_le(c, x, n), over = smt_ge(c, x, n);
            smt_t yes = smt_bool_const(c, true), no = smt_bool_const(c, false);
            assert_ptr_equal(smt_assume(c, other, least), below ? yes : other);
            assert_ptr_equal(smt_assume(c, same, least), below ? no : same);
            assert_ptr_equal(smt_assume(c, other, most), above ? yes : other);
            assert_ptr_equal(smt_assume(c, same, most), above ? no : same);
            assert_ptr_equal(smt_assume(c, under, least), below ? no : under);
            assert_ptr_equal(smt_assume(c, over, most), above ? no : over);
            assert_true(smt_is_true(smt_assume(c, over, least)) == (number <= bound));
            assert_true(smt_is_true(smt_assume(c, under, most)) == (number >= bound));
        }
    smt_ctx_free(c);
}

/* A quotient by what is not negative, though it may be 0, is rounded up without a case for negative
 * divisors. */
static void test_round_up(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_t x = smt_var(c, "x", -20, 20), one = smt_int_const(c, 1);
    for (int low = -1; low <= 1; low++) {
        smt_t by = smt_var(c, low < 0 ? "any" : low > 0 ? "positive" : "natural", low, 9);
        smt_t up = smt_div(c, smt_add(c, x, smt_sub(c, by, one)), by);
        if (low < 0)
            assert_int_equal(smt_div_ceil(c, x, by)->kind, SMT_ITE);
        else
            assert_ptr_equal(smt_div_ceil(c, x, by), up);
    }
    smt_ctx_free(c);
}

/* A choice is the lesser of two where the condition compares just these: not where it has the same
 * summands, some of them another number of times. */
static void test_least_and_greatest(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_t x = smt_var(c, "x", -99, 99), y = smt_var(c, "y", -99, 99), z = smt_var(c, "z", -99, 99);
    smt_t zero = smt_int_const(c, 0), found[2];
    for (int factor = 1; factor <= 3; factor++)
        for (int other = -3; other <= 3; other++) {
            smt_t yes = smt_add(c, smt_scale(c, x, 2), smt_scale(c, y, 6)), no = smt_neg(c, z);
            smt_t apart = smt_add(c, smt_add(c, smt_scale(c, x, 2), smt_scale(c, y, 2 * other)), z);
            smt_t chosen = smt_ite(c, smt_le(c, smt_scale(c, apart, factor), zero), yes, no);
            int sign = other == 3 ? 1 : 0;
            assert_int_equal(smt_is_min_max(chosen, &found[0], &found[1]), sign);
            if (sign)
                assert_true(smt_min(c, found[0], found[1]) == smt_min(c, yes, no));
        }
    smt_ctx_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decided_by_bounds),
        cmocka_unit_test(test_product_ranges),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_deep_negation),
        cmocka_unit_test(test_round_up),
        cmocka_unit_test(test_least_and_greatest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

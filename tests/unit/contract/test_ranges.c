/* Variables of parameters: provisional while a contract is read, ranged by it afterwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "contract/contract.h"

typedef struct fixture {
    smt_ctx *ctx;
    contract *c;
    tr_arena *arena;
    tr_errors errors;
} fixture;

static int set_up(void **state)
{
    static const char *const names[] = {"B", "H", "M", "p"};
    static fixture f;
    f.ctx = smt_ctx_new();
    f.arena = tr_arena_new();
    f.errors = tr_errors_make(f.arena);
    f.c = contract_new(f.ctx, "kernel", 4);
    for (size_t i = 0; i < 4; i++) {
        f.c->args[i].name = names[i];
        f.c->args[i].kind = i == 3 ? CONTRACT_POINTER : CONTRACT_SCALAR;
        f.c->args[i].bits = 32;
        f.c->args[i].is_signed = true;
    }
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    contract_free(f->c);
    tr_errors_free(&f->errors);
    tr_arena_free(f->arena);
    smt_ctx_free(f->ctx);
    return 0;
}

static smt_t number(fixture *f, int64_t value)
{
    return smt_int_const(f->ctx, value);
}

static void assert_range(fixture *f, size_t i, int64_t low, int64_t high)
{
    smt_int l, h;
    smt_bounds(contract_param(f->ctx, f->c, i), &l, &h);
    assert_int_equal((int64_t)l, low);
    assert_int_equal((int64_t)h, high);
}

static void test_type_ranges(void **state)
{
    fixture *f = *state;
    assert_range(f, 0, INT32_MIN, INT32_MAX);
    f->c->args[1].is_signed = false;
    assert_range(f, 1, 0, UINT32_MAX);
    f->c->args[2].bits = 64;
    assert_range(f, 2, INT64_MIN, INT64_MAX);
}

static void test_same_variable_until_settled(void **state)
{
    fixture *f = *state;
    smt_t before = contract_param(f->ctx, f->c, 0);
    assert_ptr_equal(before, contract_param(f->ctx, f->c, 0));
    assert_true(contract_settle_ranges(f->ctx, f->c, &f->errors));
    smt_t after = contract_param(f->ctx, f->c, 0);
    assert_ptr_not_equal(before, after);
    assert_string_equal(after->name, "B");
    assert_ptr_equal(after, contract_param(f->ctx, f->c, 0));
}

static void test_facts_narrow(void **state)
{
    fixture *f = *state;
    smt_t b = contract_param(f->ctx, f->c, 0), h = contract_param(f->ctx, f->c, 1),
          m = contract_param(f->ctx, f->c, 2);
    smt_t zero = number(f, 0);
    contract_add_fact(f->c, smt_and(f->ctx, smt_gt(f->ctx, b, zero), smt_gt(f->ctx, h, b)),
                      "B > 0 && H > B", NULL);
    contract_add_fact(f->c, smt_le(f->ctx, h, number(f, 128)), "H <= 128", NULL);
    contract_add_fact(f->c, smt_eq(f->ctx, m, number(f, 1024)), "M == 1024", NULL);
    f->c->grid[0] = smt_mul(f->ctx, b, h);
    assert_true(contract_settle_ranges(f->ctx, f->c, &f->errors));
    assert_range(f, 0, 1, 127);
    assert_range(f, 1, 2, 128);
    assert_range(f, 2, 1024, 1024);
    /* The contract's own terms speak of the final variables. */
    assert_ptr_equal(f->c->grid[0], smt_mul(f->ctx, contract_param(f->ctx, f->c, 0),
                                            contract_param(f->ctx, f->c, 1)));
    assert_true(smt_is_true(f->c->facts[1].term));
    assert_true(f->c->args[0].constrained);
    assert_true(f->c->args[1].constrained);
    assert_true(f->c->args[2].constrained);
}

static void test_facts_narrow_through_coefficients(void **state)
{
    fixture *f = *state;
    smt_t b = contract_param(f->ctx, f->c, 0);
    /* 3*B <= 10, 2*B >= 3 */
    contract_add_fact(f->c, smt_le(f->ctx, smt_scale(f->ctx, b, 3), number(f, 10)), "", NULL);
    contract_add_fact(f->c, smt_ge(f->ctx, smt_scale(f->ctx, b, 2), number(f, 3)), "", NULL);
    /* -5*H <= 12 */
    smt_t h = contract_param(f->ctx, f->c, 1);
    contract_add_fact(f->c, smt_le(f->ctx, smt_scale(f->ctx, h, -5), number(f, 12)), "", NULL);
    assert_true(contract_settle_ranges(f->ctx, f->c, &f->errors));
    assert_range(f, 0, 2, 3);
    assert_range(f, 1, -2, INT32_MAX);
}

static void test_disjunctions_do_not_narrow(void **state)
{
    fixture *f = *state;
    smt_t b = contract_param(f->ctx, f->c, 0);
    contract_add_fact(f->c,
                      smt_or(f->ctx, smt_gt(f->ctx, b, number(f, 5)),
                             smt_gt(f->ctx, contract_param(f->ctx, f->c, 1), number(f, 5))),
                      "B > 5 || H > 5", NULL);
    contract_add_fact(f->c, smt_ne(f->ctx, b, number(f, 7)), "B != 7", NULL);
    assert_true(contract_settle_ranges(f->ctx, f->c, &f->errors));
    assert_range(f, 0, INT32_MIN, INT32_MAX);
    assert_true(f->c->args[0].constrained);
    assert_false(f->c->args[2].constrained);
}

static void test_contradiction(void **state)
{
    fixture *f = *state;
    smt_t b = contract_param(f->ctx, f->c, 0);
    contract_add_fact(f->c, smt_gt(f->ctx, b, number(f, 5)), "B > 5", NULL);
    contract_add_fact(f->c, smt_lt(f->ctx, b, number(f, 3)), "B < 3", NULL);
    assert_false(contract_settle_ranges(f->ctx, f->c, &f->errors));
    assert_int_equal(tr_errors_count(&f->errors), 1);
    assert_non_null(strstr(f->errors.items[0].text, "no value of `B` meets `B > 5`, `B < 3`."));
    assert_string_equal(f->c->contradiction, "no value of `B` meets `B > 5`, `B < 3`");
    /* An empty range must not make every obligation of the kernel vacuous. */
    assert_range(f, 0, INT32_MIN, INT32_MAX);
}

static void test_kernels_of_one_context_do_not_mix(void **state)
{
    fixture *f = *state;
    contract *other = contract_new(f->ctx, "other", 1);
    other->args[0] = (contract_arg){.name = "B", .bits = 64, .is_signed = true};
    smt_t b = contract_param(f->ctx, f->c, 0);
    contract_add_fact(f->c, smt_ge(f->ctx, b, number(f, 1)), "B >= 1", NULL);
    contract_add_fact(f->c, smt_le(f->ctx, b, number(f, 8)), "B <= 8", NULL);
    assert_true(contract_settle_ranges(f->ctx, f->c, NULL));
    assert_true(contract_settle_ranges(f->ctx, other, NULL));
    smt_int low, high;
    smt_bounds(contract_param(f->ctx, other, 0), &low, &high);
    assert_true(low <= INT64_MIN && high >= INT64_MAX);
    assert_range(f, 0, 1, 8);
    contract_free(other);
}

/* The first parameter is narrowed like any other, by a fact of it alone. */
static void test_first_parameter(void **state)
{
    fixture *f = *state;
    smt_t first = contract_param(f->ctx, f->c, 0), second = contract_param(f->ctx, f->c, 1);
    contract_add_fact(f->c, smt_le(f->ctx, first, number(f, 0)), "B <= 0", NULL);
    contract_add_fact(f->c, smt_ge(f->ctx, second, number(f, 0)), "H >= 0", NULL);
    assert_true(contract_settle_ranges(f->ctx, f->c, &f->errors));
    assert_range(f, 0, INT32_MIN, 0);
    assert_range(f, 1, 0, INT32_MAX);
}

/* Both ends at once, and the ends themselves: `<` is no `<=`. */
static void test_ends_are_exact(void **state)
{
    fixture *f = *state;
    smt_t b = contract_param(f->ctx, f->c, 0), h = contract_param(f->ctx, f->c, 1);
    contract_add_fact(f->c, smt_lt(f->ctx, b, number(f, 10)), "B < 10", NULL);
    contract_add_fact(f->c, smt_gt(f->ctx, b, number(f, -1)), "B > -1", NULL);
    contract_add_fact(f->c, smt_le(f->ctx, smt_scale(f->ctx, h, 3), number(f, 10)), "3 * H <= 10",
                      NULL);
    contract_add_fact(f->c, smt_ge(f->ctx, smt_scale(f->ctx, h, 3), number(f, -10)), "3 * H >= -10",
                      NULL);
    assert_true(contract_settle_ranges(f->ctx, f->c, &f->errors));
    assert_range(f, 0, 0, 9);
    assert_range(f, 1, -3, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_type_ranges, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_same_variable_until_settled, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_facts_narrow, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_facts_narrow_through_coefficients, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_disjunctions_do_not_narrow, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_first_parameter, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ends_are_exact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_contradiction, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_kernels_of_one_context_do_not_mix, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

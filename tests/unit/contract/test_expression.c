/* Contract expressions: values, types, errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "contract/expression.h"

typedef struct fixture {
    smt_ctx *ctx;
    contract *c;
} fixture;

static int set_up(void **state)
{
    static const char *const names[] = {"B", "H", "src", "alpha", "index"};
    static const contract_arg_kind kinds[] = {CONTRACT_SCALAR, CONTRACT_SCALAR, CONTRACT_POINTER,
                                              CONTRACT_FLOAT, CONTRACT_POINTER};
    static fixture f;
    f.ctx = smt_ctx_new();
    f.c = contract_new(f.ctx, "kernel", TR_COUNT(names));
    for (size_t i = 0; i < TR_COUNT(names); i++) {
        f.c->args[i].name = names[i];
        f.c->args[i].kind = kinds[i];
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
    smt_ctx_free(f->ctx);
    return 0;
}

/* B = 7, H = -3, grid.x = 5, the element 11 at index 2. */
static bool lookup(void *user, smt_t variable, size_t n_args, const smt_int *args, smt_int *value)
{
    (void)user;
    (void)n_args;
    (void)args;
    static const struct {
        const char *name;
        int value;
    } table[] = {
        {"B?", 7}, {"H?", -3}, {"grid.x", 5}, {"contents.value", 11}, {"contents.index", 2}};
    for (size_t i = 0; i < TR_COUNT(table); i++)
        if (!strcmp(variable->name, table[i].name)) {
            *value = table[i].value;
            return true;
        }
    return false;
}

static contract_expression read(fixture *f, const char *text, const char **why)
{
    return contract_expression_read(f->ctx, f->c, text, true, why);
}

static void test_values(void **state)
{
    static const struct {
        const char *text;
        int64_t value;
    } table[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"10 - 2 - 3", 5},
        {"0x1F", 31},
        {"18446744073709551615 / 18446744073709551615", 1},
        {"B*H", -21},
        {"B / 2", 3},
        {"H / 2", -1}, /* C truncates */
        {"H % 2", -1},
        {"-H", 3},
        {"- -B", 7},
        {"cdiv(B, 2)", 4},
        {"cdiv(H, 2)", -1},
        {"min(B, H) + max(B, H)", 4},
        {"grid.x * 2", 10},
        {"value - index", 9},
        {"B == 7", 1},
        {"B != 7", 0},
        {"B < 7 || B <= 7", 1},
        {"B > 7 && B >= 7", 0},
        {"!(B > 7)", 1},
        {"B == 7 || B == 8 && H == 0", 1}, /* && binds tighter */
        {"1 + 1 == 2", 1},
        {" B\n+\t1 ", 8},
    };
    fixture *f = *state;
    for (size_t i = 0; i < TR_COUNT(table); i++) {
        const char *why = NULL;
        smt_int value = -1;
        contract_expression e = read(f, table[i].text, &why);
        if (!e.term)
            fail_msg("%s: %s", table[i].text, why);
        assert_true(smt_eval(e.term, lookup, NULL, &value));
        if ((int64_t)value != table[i].value)
            fail_msg("%s: %lld", table[i].text, (long long)value);
    }
}

static void test_errors(void **state)
{
    static const struct {
        const char *text, *part;
    } table[] = {
        {"", "ends too early"},
        {"1 +", "ends too early"},
        {"(1", "ends too early"},
        {"1)", "unexpected `)`"},
        {"1 2", "unexpected `2`"},
        {"B = 3", "unexpected `=`"},
        {"B & 3", "unexpected `&`"},
        {"BB + 1", "`BB` is not known here"},
        {"grid.w", "did you mean `grid.x`"},
        {"src", "is a pointer"},
        {"alpha", "is a float"},
        {"1 / 0", "division by zero"},
        {"B / (H - H)", "division by zero"},
        {"(B < 3) + 1", "an integer is needed"},
        {"1 < B < 3", "an integer is needed"},
        {"B && H", "a comparison is needed"},
        {"!B", "a comparison is needed"},
        {"012", "leading zeros"},
        {"12ab", "not an integer"},
        {"18446744073709551616", "64 bits"},
        {"ceil(B, 2)", "cannot be called"},
        {"min(B)", "unexpected `)`"},
        {"min(B, H", "ends too early"},
        {"B @ 2", "unexpected `@`"},
        {"B + 1.5", "unexpected `.`"},
    };
    fixture *f = *state;
    for (size_t i = 0; i < TR_COUNT(table); i++) {
        const char *why = NULL;
        contract_expression e = read(f, table[i].text, &why);
        assert_null(e.term);
        assert_non_null(why);
        if (!strstr(why, table[i].part))
            fail_msg("%s: %s", table[i].text, why);
    }
}

static void test_index_is_an_argument_outside_contents(void **state)
{
    fixture *f = *state;
    const char *why = NULL;
    assert_null(contract_expression_read(f->ctx, f->c, "index < 3", false, &why).term);
    assert_non_null(strstr(why, "`index` is a pointer"));
    assert_null(contract_expression_read(f->ctx, f->c, "value < 3", false, &why).term);
    assert_non_null(strstr(why, "not known here"));
}

static void test_definedness(void **state)
{
    fixture *f = *state;
    const char *why = NULL;
    smt_t b = contract_param(f->ctx, f->c, 0), zero = smt_int_const(f->ctx, 0);
    assert_ptr_equal(read(f, "H % B == 0", &why).defined, smt_ne(f->ctx, b, zero));
    assert_true(smt_is_true(read(f, "H % 4 == 0", &why).defined));
    /* A short circuit guards the division. */
    smt_int value = 0;
    contract_expression e = read(f, "B != 7 && H / (B - 7) == 1", &why);
    assert_true(smt_eval(e.defined, lookup, NULL, &value));
    assert_int_equal((int)value, 1);
}

static void test_depth_and_length_are_bounded(void **state)
{
    enum { DEPTH = 2000 };
    fixture *f = *state;
    const char *why = NULL;
    static char text[DEPTH * 2 + 2];
    memset(text, '(', DEPTH);
    text[DEPTH] = '1';
    memset(text + DEPTH + 1, ')', DEPTH);
    assert_null(read(f, text, &why).term);
    assert_non_null(why);
    memset(text, '-', DEPTH);
    text[DEPTH + 1] = 0;
    assert_null(read(f, text, &why).term);
    assert_non_null(strstr(why, "deep"));
    memset(text, ' ', sizeof text);
    text[sizeof text - 2] = '1';
    text[sizeof text - 1] = 0;
    assert_non_null(read(f, text, &why).term);
    static char longer[4098];
    memset(longer, ' ', sizeof longer);
    longer[sizeof longer - 2] = '1';
    longer[sizeof longer - 1] = 0;
    assert_null(read(f, longer, &why).term);
    assert_non_null(strstr(why, "longer than 4096 characters"));
    memset(text, '(', 20);
    text[20] = '1';
    memset(text + 21, ')', 20);
    text[41] = 0;
    assert_non_null(read(f, text, &why).term);
}

static void test_nearest(void **state)
{
    static const char *const names[] = {"buffer", "elements", "min", "max"};
    (void)state;
    assert_string_equal(contract_nearest("bufer", 4, names), "buffer");
    assert_string_equal(contract_nearest("element", 4, names), "elements");
    assert_string_equal(contract_nearest("mni", 4, names), "min");
    assert_null(contract_nearest("grid", 4, names));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_errors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_index_is_an_argument_outside_contents, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_definedness, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_depth_and_length_are_bounded, set_up, tear_down),
        cmocka_unit_test(test_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

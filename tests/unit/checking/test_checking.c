/* The result of one input from its parts, as workers send them: what comes back is all of them, in
 * order, and bytes that are lost are an error of that input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "checking/checking.h"

static const char *files[] = {"a.c"};
static const session one = {.files = files, .n_files = 1};

static void add_kernel(tr_text *packed, const char *name)
{
    kernel_report kernel = {.kernel = name, .verdict = VERDICT_RACE_FREE};
    const checked_input part = {.report = {.file = "a.c", .n_kernels = 1, .kernels = &kernel},
                                .solver = "z"};
    assert_true(packed_write(packed, &part));
}

static void parts_are_joined(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    tr_text packed = {0};
    checked_kernel known = {.symbol = "first", .shown = "first"};
    const checked_input rest = {
        .report = {.file = "a.c"}, .failure = "it failed", .n_kernels = 1, .kernels = &known};
    add_kernel(&packed, "first");
    add_kernel(&packed, "second");
    assert_true(packed_write(&packed, &rest));
    checked_input whole = checking_result(&one, 0, &packed, arena);
    assert_int_equal(whole.report.n_kernels, 2);
    assert_string_equal(whole.report.kernels[0].kernel, "first");
    assert_string_equal(whole.report.kernels[1].kernel, "second");
    assert_int_equal(whole.report.n_errors, 0);
    assert_string_equal(whole.solver, "z");
    assert_string_equal(whole.failure, "it failed");
    assert_int_equal(whole.n_kernels, 1);
    assert_string_equal(whole.kernels[0].symbol, "first");
    tr_text_free(&packed);
    tr_arena_free(arena);
}

static void what_is_lost_is_an_error(void **state)
{
    (void)state;
    tr_text packed = {0};
    add_kernel(&packed, "first");
    const size_t whole = packed.length;
    for (size_t length = 0; length < whole; length++) {
        tr_arena *arena = tr_arena_new();
        packed.length = length;
        checked_input result = checking_result(&one, 0, &packed, arena);
        assert_int_equal(result.report.n_kernels, 0);
        assert_int_equal(result.report.n_errors, 1);
        assert_string_equal(result.report.file, "a.c");
        assert_string_equal(result.report.errors[0].text, "its result was lost");
        tr_arena_free(arena);
    }
    packed.length = whole;
    tr_text_free(&packed);
}

static void a_failure_is_one_error(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    tr_text packed = {0};
    checking_failed("a.c", "the process ended", &packed);
    checked_input result = checking_result(&one, 0, &packed, arena);
    assert_int_equal(result.report.n_errors, 1);
    assert_string_equal(result.report.errors[0].text, "the process ended");
    assert_string_equal(result.report.errors[0].place.file, "a.c");
    tr_text_free(&packed);
    tr_arena_free(arena);
}

/* An input whose configuration is wrong is not checked; the second one of two names it alone. */
static void a_wrong_configuration_is_told_once(void **state)
{
    (void)state;
    static const char *two[] = {"a.c", "b.c"};
    tr_arena *arena = tr_arena_new();
    settings own;
    memset(&own, 0, sizeof own);
    own.file = "tilerace.toml";
    own.wrong = tr_errors_make(arena);
    tr_errors_add(&own.wrong, &(tr_place){.file = "tilerace.toml", .line = 3}, "is no key");
    session s = {.files = two, .n_files = 2, .settings = (const settings *[]){&own, &own}};
    for (size_t i = 0; i < 2; i++) {
        tr_text packed = {0};
        assert_true(checking_recall(&s, i, &packed));
        checked_input result = checking_result(&s, i, &packed, arena);
        assert_int_equal(result.report.n_errors, i == 0 ? 2 : 1);
        assert_string_equal(result.report.errors[result.report.n_errors - 1].text,
                            "not checked, because its configuration tilerace.toml has an error");
        tr_text_free(&packed);
    }
    tr_errors_free(&own.wrong);
    tr_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_joined),
        cmocka_unit_test(what_is_lost_is_an_error),
        cmocka_unit_test(a_failure_is_one_error),
        cmocka_unit_test(a_wrong_configuration_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

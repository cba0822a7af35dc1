/* include/tilerace.h: what a program that embeds the checker sees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tilerace.h"

static void test_bad_input(void **state)
{
    (void)state;
    char *report = NULL, *complaints = NULL;
    const char *const files[] = {"/no/such/file.c"};
    assert_int_equal(tilerace_check(1, files, NULL, &report, &complaints), TILERACE_BAD);
    assert_non_null(strstr(report, "\"schema_version\""));
    assert_non_null(strstr(report, "/no/such/file.c"));
    assert_non_null(strstr(complaints, "cannot be read"));
    tilerace_free(report);
    tilerace_free(complaints);
}

static void test_bad_option(void **state)
{
    (void)state;
    char *report = NULL, *complaints = NULL;
    const tilerace_options options = {.format = "xml"};
    assert_int_equal(tilerace_check(0, NULL, &options, &report, &complaints), TILERACE_BAD);
    assert_string_equal(report, "");
    assert_non_null(strstr(complaints, "'xml' is not a format"));
    tilerace_free(report);
    tilerace_free(complaints);
}

static void check_shipped(const char *file, tilerace_result result, const char *part)
{
    char *report = NULL, *complaints = NULL;
    const tilerace_options options = {.format = "text", .jobs = 1};
    assert_int_equal(tilerace_check(1, &file, &options, &report, &complaints), result);
    assert_non_null(strstr(report, part));
    assert_string_equal(complaints, "");
    tilerace_free(report);
    tilerace_free(complaints);
}

static void test_shipped(void **state)
{
    (void)state;
    assert_non_null(strchr(tilerace_version(), '.'));
    check_shipped(TILERACE_SOURCE_DIR "/kernels/vector_add.c", TILERACE_CLEAN, "race-free");
    check_shipped(TILERACE_SOURCE_DIR "/fixtures/races/vector_add_unread_axis.c", TILERACE_FINDINGS,
                  "[TR001]");
}

static void test_notes(void **state)
{
    (void)state;
    const char *file = TILERACE_SOURCE_DIR "/kernels/row_sum.c";
    for (int notes = 0; notes < 2; notes++) {
        char *report = NULL, *complaints = NULL;
        const tilerace_options options = {.format = "text", .jobs = 1, .notes = notes};
        assert_int_equal(tilerace_check(1, &file, &options, &report, &complaints), TILERACE_CLEAN);
        assert_int_equal(strstr(report, "[TR025]") != NULL, notes);
        tilerace_free(report);
        tilerace_free(complaints);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_bad_option),
        cmocka_unit_test(test_shipped),
        cmocka_unit_test(test_notes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Columns, line hashes, text that is not UTF-8, counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "example.h"
#include "report/report_private.h"

static void test_columns(void **state)
{
    (void)state;
    const char *line = "a\xc3\xa4\xf0\x9d\x95\x8f!"; /* a, two bytes, four bytes, ! */
    const struct {
        uint32_t byte, utf16;
    } cases[] = {{1, 1}, {2, 2}, {4, 3}, {8, 5}, {9, 6}, {10, 7}};
    for (size_t i = 0; i < TR_COUNT(cases); i++)
        assert_int_equal(source_utf16_column(line, strlen(line), cases[i].byte), cases[i].utf16);
    assert_int_equal(source_utf16_column("", 0, 1), 1);
}

static void test_utf8_clean(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    const char *good = "a\xc3\xa4\xf0\x9d\x95\x8f\xef\xbf\xbd";
    assert_ptr_equal(utf8_clean(arena, good), good);
    const struct {
        const char *dirty, *clean;
    } cases[] = {
        {"\xff", "\xef\xbf\xbd"},
        {"a\xc3", "a\xef\xbf\xbd"},
        {"\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"},                 /* overlong */
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* surrogate */
    };
    for (size_t i = 0; i < TR_COUNT(cases); i++)
        assert_string_equal(utf8_clean(arena, cases[i].dirty), cases[i].clean);
    tr_arena_free(arena);
}

static void check_hashes(const char *text, size_t n, const char *const *expected)
{
    tr_arena *arena = tr_arena_new();
    size_t count = 0;
    const char **hashes = report_line_hashes(arena, text, strlen(text), &count);
    assert_int_equal(count, n);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(hashes[i], expected[i]);
    tr_arena_free(arena);
}

static void test_line_hashes(void **state)
{
    (void)state;
    check_hashes("", 1, (const char *const[]){"c129715d7a2bc9a3:1"});
    /* A line end is a line end, and blanks do not count. */
    tr_arena *arena = tr_arena_new();
    size_t n1 = 0, n2 = 0, n3 = 0;
    const char **unix_lines = report_line_hashes(arena, "a b\nc\n", 6, &n1);
    const char **dos_lines = report_line_hashes(arena, "\tab\r\nc \r\n", 9, &n2);
    const char **mac_lines = report_line_hashes(arena, "ab\rc\r", 5, &n3);
    assert_int_equal(n1, 3);
    assert_int_equal(n2, 3);
    assert_int_equal(n3, 3);
    for (size_t i = 0; i < n1; i++) {
        assert_string_equal(unix_lines[i], dos_lines[i]);
        assert_string_equal(unix_lines[i], mac_lines[i]);
    }
    assert_string_not_equal(unix_lines[0], unix_lines[1]);
    tr_arena_free(arena);
}

/* What stands 100 units or more behind a line's start does not change its hash; equal windows are
 * numbered. */
static void test_line_hash_window(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    char text[500];
    memset(text, 'x', sizeof text);
    for (size_t i = 49; i < sizeof text; i += 50)
        text[i] = '\n';
    size_t n = 0;
    const char **before = report_line_hashes(arena, text, sizeof text, &n);
    assert_int_equal(n, 11);
    size_t colon = strcspn(before[0], ":");
    assert_memory_equal(before[0], before[1], colon);
    assert_string_equal(before[0] + colon, ":1");
    assert_string_equal(before[1] + colon, ":2");
    char changed[500];
    memcpy(changed, text, sizeof text);
    changed[110] = 'y';
    const char **behind = report_line_hashes(arena, changed, sizeof changed, &n);
    assert_string_equal(before[0], behind[0]);
    assert_memory_not_equal(before[1], behind[1], colon);
    tr_arena_free(arena);
}

static void test_count(void **state)
{
    (void)state;
    report_totals t = report_count(&example_report);
    assert_int_equal(t.kernels, 4);
    assert_int_equal(t.race_free, 1);
    assert_int_equal(t.conditional, 1);
    assert_int_equal(t.race, 1);
    assert_int_equal(t.unknown, 1);
    assert_int_equal(t.inputs, 2);
    assert_int_equal(t.not_checked, 1);
    assert_int_equal(t.errors, 1);
    assert_int_equal(t.warnings, 2);
}

static void test_formats(void **state)
{
    (void)state;
    for (int i = 0; i < REPORT_FORMAT_COUNT; i++) {
        report_format format;
        assert_true(report_format_by_name(report_format_name((report_format)i), &format));
        assert_int_equal(format, i);
    }
    report_format format;
    assert_false(report_format_by_name("xml", &format));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),     cmocka_unit_test(test_utf8_clean),
        cmocka_unit_test(test_line_hashes), cmocka_unit_test(test_line_hash_window),
        cmocka_unit_test(test_count),       cmocka_unit_test(test_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

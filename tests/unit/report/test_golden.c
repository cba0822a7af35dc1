/* Every format, byte for byte. TILERACE_UPDATE=1 in the environment writes the files anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "example.h"

/* The whole texts would hide the line in which they differ. */
static void fail_with_line(const char *file, const char *text, const char *expected)
{
    int line = 1;
    size_t start = 0;
    for (size_t i = 0; text[i] && text[i] == expected[i]; i++)
        if (text[i] == '\n') {
            line++;
            start = i + 1;
        }
    fail_msg("%s differs in line %d from what the program writes\n  the file:    %.*s\n"
             "  the program: %.*s\nTILERACE_UPDATE=1 ctest --preset ci -R report/test_golden "
             "writes it anew",
             file, line, (int)strcspn(expected + start, "\n"), expected + start,
             (int)strcspn(text + start, "\n"), text + start);
}

static void compare(const char *file, const tr_text *text)
{
    if (getenv("TILERACE_UPDATE")) {
        FILE *out = fopen(file, "wb");
        assert_non_null(out);
        fputs(tr_text_get(text), out);
        fclose(out);
    }
    tr_arena *arena = tr_arena_new();
    const char *why = NULL;
    size_t length = 0;
    const char *expected = tr_read_file(arena, TR_FILE_KERNELS, file, &length, &why);
    if (!expected)
        fail_msg("tests/golden/report/%s is missing; TILERACE_UPDATE=1 ctest --preset ci "
                 "-R report/test_golden writes it",
                 file);
    if (strcmp(tr_text_get(text), expected) != 0)
        fail_with_line(file, tr_text_get(text), expected);
    tr_arena_free(arena);
}

static void write_and_compare(report_format format, bool color, const char *file)
{
    report_options options = {.color = color, .folder = "/somewhere"};
    tr_text text = {0};
    report_write(&text, &example_report, format, &options);
    compare(file, &text);
    tr_text_free(&text);
}

/* The file of each format. */
static const char *const golden[REPORT_FORMAT_COUNT] = {
    [REPORT_TEXT] = "example.txt",        [REPORT_JSON] = "example.json",
    [REPORT_SARIF] = "example.sarif",     [REPORT_GITHUB] = "example.github.txt",
    [REPORT_HTML] = "example.html",       [REPORT_MARKDOWN] = "example.md",
    [REPORT_JUNIT] = "example.junit.xml", [REPORT_GITLAB] = "example.gitlab.json",
};

static void test_every_format(void **state)
{
    (void)state;
    for (int format = 0; format < REPORT_FORMAT_COUNT; format++) {
        if (!golden[format])
            fail_msg("the table 'golden' of test_golden.c names no file for the format '%s'",
                     report_format_name((report_format)format));
        write_and_compare((report_format)format, false, golden[format]);
    }
}

static void test_color(void **state)
{
    (void)state;
    write_and_compare(REPORT_TEXT, true, "example.color.txt");
}

/* What the command line makes a failure is one in the test report too. */
static void test_junit_failing(void **state)
{
    (void)state;
    report_options options = {.failing = {.conditional = true, .unknown = true}};
    tr_text text = {0};
    report_write(&text, &example_report, REPORT_JUNIT, &options);
    compare("example.failing.junit.xml", &text);
    tr_text_free(&text);
}

static void test_empty(void **state)
{
    (void)state;
    const full_report nothing = {0};
    report_options options = {0};
    for (int format = 0; format < REPORT_FORMAT_COUNT; format++) {
        tr_text text = {0};
        report_write(&text, &nothing, (report_format)format, &options);
        assert_true(text.length > 0);
        tr_text_free(&text);
    }
}

static int enter_folder(void **state)
{
    (void)state;
    return chdir(TILERACE_SOURCE_DIR "/tests/golden/report");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_format),
        cmocka_unit_test(test_color),
        cmocka_unit_test(test_junit_failing),
        cmocka_unit_test(test_empty),
    };
    return cmocka_run_group_tests(tests, enter_folder, NULL);
}

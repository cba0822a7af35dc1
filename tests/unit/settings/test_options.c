/* The command line as values, and the pages written from its tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "settings/options.h"

typedef struct parsed {
    tr_arena *arena;
    driver_options options;
    const char *why;
    bool good;
} parsed;

static parsed parse(const char *const *words)
{
    parsed p = {.arena = tr_arena_new()};
    int n = 0;
    while (words[n])
        n++;
    p.good = options_parse(p.arena, n, words, &p.options, &p.why);
    return p;
}

#define PARSE(...) parse((const char *const[]){"tilerace", __VA_ARGS__, NULL})

static void test_good(void **state)
{
    (void)state;
    parsed p = PARSE("check", "a.c", "-j4", "--strict", "--format=json", "-o", "out", "b.c",
                     "--output=sarif=a.sarif", "--budget", "500", "--", "-DN=4", "--strict");
    assert_true(p.good);
    assert_int_equal(p.options.command, COMMAND_CHECK);
    assert_int_equal(p.options.n_files, 2);
    assert_string_equal(p.options.files[1], "b.c");
    assert_int_equal(p.options.jobs, 4);
    assert_int_equal(p.options.budget, 500);
    assert_true(p.options.strict);
    assert_false(p.options.werror);
    assert_string_equal(p.options.format, "json");
    assert_int_equal(p.options.output.n, 2);
    assert_string_equal(p.options.output.items[0], "out");
    assert_string_equal(p.options.output.items[1], "sarif=a.sarif");
    assert_int_equal(p.options.n_behind, 2);
    assert_string_equal(p.options.behind[0], "-DN=4");
    tr_arena_free(p.arena);
}

static void expect_bad(parsed p, const char *part)
{
    assert_false(p.good);
    assert_non_null(p.why);
    if (!strstr(p.why, part))
        fail_msg("'%s' does not say '%s'", p.why, part);
    tr_arena_free(p.arena);
}

static void test_bad(void **state)
{
    (void)state;
    expect_bad(PARSE("check", "a.c", "--strikt"), "did you mean '--strict'");
    expect_bad(PARSE("check", "a.c", "--formt=json"), "did you mean '--format'");
    expect_bad(PARSE("check", "a.c", "--zzzzzz"), "unknown option '--zzzzzz'");
    expect_bad(PARSE("chek", "a.c"), "did you mean 'check'");
    expect_bad(PARSE("kernel.c"), "did you mean 'tilerace check kernel.c'");
    expect_bad(PARSE("check"), "at least one file");
    expect_bad(PARSE("dump", "a.c", "b.c"), "takes one file");
    expect_bad(PARSE("check", "a.c", "-DN=4"), "behind '--'");
    expect_bad(PARSE("check", "a.c", "--budget", "soon"), "whole number");
    expect_bad(PARSE("check", "a.c", "-j", "0"), "whole number");
    expect_bad(PARSE("check", "a.c", "-j-1"), "whole number");
    expect_bad(PARSE("check", "a.c", "--budget", "99999999999999999999"), "whole number");
    expect_bad(PARSE("check", "a.c", "-o"), "needs a value");
    expect_bad(PARSE("check", "a.c", "-o", "--"), "needs a value");
    expect_bad(PARSE("check", "a.c", "--strict=yes"), "takes no value");
    expect_bad(PARSE("dump", "a.c", "--strict"), "does not take --strict");
    expect_bad(PARSE("--strict"), "no command");
}

/* What the argument column lists is all that an option takes. */
static void test_words(void **state)
{
    (void)state;
    expect_bad(PARSE("check", "a.c", "--color", "green"), "--color is auto, always or never, not");
    expect_bad(PARSE("check", "a.c", "--color", ""), "auto, always or never");
    expect_bad(PARSE("check", "a.c", "--color", "alway"), "auto, always or never");
    expect_bad(PARSE("check", "a.c", "--color", "auto|always"), "auto, always or never");
    expect_bad(PARSE("run", "a.c", "--device", "tpu"), "--device is gpu, cpu or auto");
    expect_bad(PARSE("check", "a.c", "--loop-tokens=names"), "per-iteration or per-name");
    parsed p = PARSE("check", "a.c", "--color", "never", "-q", "-v");
    assert_true(p.good && p.options.quiet && p.options.verbose);
    assert_string_equal(p.options.color, "never");
    tr_arena_free(p.arena);
}

static void test_nearest(void **state)
{
    (void)state;
    const char *const names[] = {"format", "strict"};
    assert_string_equal(nearest_name("formta", 2, names), "format");
    assert_null(nearest_name("budget", 2, names));
    char longest[300];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    assert_null(nearest_name(longest, 2, names));
}

/* docs/options.md is what the tables say. TILERACE_UPDATE=1 writes it anew. */
/* The whole page would hide the line. */
static void fail_with_line(const char *page, const char *file)
{
    size_t start = 0;
    for (size_t i = 0; page[i] && page[i] == file[i]; i++)
        if (page[i] == '\n')
            start = i + 1;
    fail_msg("docs/options.md does not have this line of the tables: '%.*s'\n"
             "TILERACE_UPDATE=1 ctest --preset ci -R settings/test_options writes the page",
             (int)strcspn(page + start, "\n"), page + start);
}

static void test_page(void **state)
{
    (void)state;
    const char *file = TILERACE_SOURCE_DIR "/docs/options.md";
    tr_text page = {0};
    options_markdown(&page);
    if (getenv("TILERACE_UPDATE")) {
        FILE *out = fopen(file, "wb");
        assert_non_null(out);
        fputs(tr_text_get(&page), out);
        fclose(out);
    }
    tr_arena *arena = tr_arena_new();
    const char *why = NULL;
    size_t length;
    const char *text = tr_read_file(arena, TR_FILE_KERNELS, file, &length, &why);
    assert_non_null(text);
    if (strcmp(tr_text_get(&page), text) != 0)
        fail_with_line(tr_text_get(&page), text);
    tr_arena_free(arena);
    tr_text_free(&page);
}

static void expect_in_page(const char *code, const char *page, const char *part)
{
    if (!strstr(page, part))
        fail_msg("docs/rules/%s.md does not hold '%s'", code, part);
}

/* Every rule has its page, and the page says what the table says. */
static void test_rule_pages(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    for (int id = 0; id < RULE_COUNT; id++) {
        const rule_info *rule = rule_info_of((rule_id)id);
        const char *file =
            tr_arena_printf(arena, TILERACE_SOURCE_DIR "/docs/rules/%s.md", rule->code);
        const char *why = NULL;
        size_t length;
        const char *page = tr_read_file(arena, TR_FILE_KERNELS, file, &length, &why);
        if (!page)
            fail_msg("docs/rules/%s.md is missing", rule->code);
        expect_in_page(rule->code, page,
                       tr_arena_printf(arena, "# %s: %s\n", rule->code, rule->name));
        expect_in_page(rule->code, page, rule->summary + 1);
        expect_in_page(rule->code, page, rule->help);
        expect_in_page(rule->code, page,
                       tr_arena_printf(arena, "Level: %s", report_level_name(rule->level)));
        expect_in_page(rule->code, page, "## Bad");
        expect_in_page(rule->code, page, "## Good");
    }
    tr_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),  cmocka_unit_test(test_bad),
        cmocka_unit_test(test_words), cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_page),  cmocka_unit_test(test_rule_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

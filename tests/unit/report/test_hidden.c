/* Findings that somebody hides: every format says that they are there, and by whom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "example.h"

static const tr_place comment = {"halve.tile.c", NULL, 11, 5, 11, 9, NULL};

static void hide(hidden_by by)
{
    for (size_t k = 0; k < example_inputs[0].n_kernels; k++)
        for (size_t f = 0; f < example_kernels[k].n_findings; f++)
            example_kernels[k].findings[f].hidden = (finding_hidden){
                by, by ? "the reason for it" : NULL, by == HIDDEN_BY_COMMENT ? &comment : NULL};
}

static void write(tr_text *text, report_format format, bool verbose)
{
    report_options options = {.verbose = verbose,
                              .failing = {.conditional = true, .warning = true}};
    report_write(text, &example_report, format, &options);
}

static void says(report_format format, bool verbose, const char *what)
{
    tr_text text = {0};
    write(&text, format, verbose);
    if (!strstr(tr_text_get(&text), what))
        fail_msg("%s has no '%s':\n%s", report_format_name(format), what, tr_text_get(&text));
    tr_text_free(&text);
}

static void says_not(report_format format, const char *what)
{
    tr_text text = {0};
    write(&text, format, false);
    if (strstr(tr_text_get(&text), what))
        fail_msg("%s has '%s':\n%s", report_format_name(format), what, tr_text_get(&text));
    tr_text_free(&text);
}

static void every_format_says_it(void **state)
{
    (void)state;
    static const struct {
        hidden_by by;
        const char *total, *words, *json, *sarif;
    } rows[] = {
        {HIDDEN_BY_COMMENT, "0 errors, 0 warnings, 3 allowed", "allowed", "\"inline\",",
         "\"inSource\","},
        {HIDDEN_BY_BASELINE, "0 errors, 0 warnings, 3 in the baseline", "in the baseline",
         "\"baseline\",", "\"external\","},
        {HIDDEN_BY_SELECTION, "0 errors, 0 warnings, 3 not selected", "not selected", "\"config\",",
         "\"external\","},
    };
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        hide(rows[i].by);
        static const report_format with_totals[] = {REPORT_TEXT, REPORT_GITHUB, REPORT_HTML,
                                                    REPORT_MARKDOWN};
        for (size_t f = 0; f < TR_COUNT(with_totals); f++)
            says(with_totals[f], false, rows[i].total);
        says(REPORT_JUNIT, false, rows[i].words);
        says(REPORT_MARKDOWN, false, rows[i].words);
        says(REPORT_HTML, false, "the reason for it");
        says(REPORT_TEXT, true, "the reason for it");
        says(REPORT_JSON, false, rows[i].json);
        says(REPORT_JSON, false, "the reason for it");
        says(REPORT_SARIF, false, rows[i].sarif);
        says(REPORT_SARIF, false, "the reason for it");
        says_not(REPORT_GITHUB, "title=TR0");
        says_not(REPORT_GITLAB, "TR0");
        says_not(REPORT_JUNIT, "<failure");
    }
    hide(HIDDEN_BY_NOTHING);
}

static void a_comment_has_a_place(void **state)
{
    (void)state;
    hide(HIDDEN_BY_COMMENT);
    says(REPORT_JSON, false, "\"line\":\t11");
    says(REPORT_SARIF, false, "\"startLine\":\t11");
    hide(HIDDEN_BY_NOTHING);
    says_not(REPORT_JSON, "\"line\":\t11");
}

/* Only new findings are printed; the verdict's line says what else there is. */
static void text_leaves_out_what_is_known(void **state)
{
    (void)state;
    hide(HIDDEN_BY_BASELINE);
    says(REPORT_TEXT, false, "refuted; findings that are not shown: 2 in the baseline\n");
    says_not(REPORT_TEXT, example_findings[0].message);
    says(REPORT_TEXT, true, example_findings[0].message);
    hide(HIDDEN_BY_COMMENT);
    says(REPORT_TEXT, false, example_findings[0].message);
    hide(HIDDEN_BY_NOTHING);
}

static void totals_count_each_kind(void **state)
{
    (void)state;
    report_totals t = report_count(&example_report);
    assert_int_equal(t.race_hidden + t.conditional_hidden, 0);
    size_t errors = t.errors, warnings = t.warnings;
    assert_true(errors > 0 && warnings > 0);
    example_findings[0].hidden = (finding_hidden){HIDDEN_BY_COMMENT, "a", NULL};
    t = report_count(&example_report);
    assert_int_equal(t.hidden[HIDDEN_BY_COMMENT], 1);
    assert_int_equal(t.errors, errors - 1);
    hide(HIDDEN_BY_SELECTION);
    t = report_count(&example_report);
    assert_int_equal(t.hidden[HIDDEN_BY_COMMENT], 0);
    assert_int_equal(t.hidden[HIDDEN_BY_SELECTION], 3);
    assert_int_equal(t.errors + t.warnings + t.notes, 0);
    assert_int_equal(t.race_hidden, t.race);
    assert_int_equal(t.conditional_hidden, t.conditional);
    assert_true(t.race > 0); /* the verdict stays */
    report_totals sum = t;
    report_add_totals(&sum, &t);
    assert_int_equal(sum.hidden[HIDDEN_BY_SELECTION], 6);
    hide(HIDDEN_BY_NOTHING);
}

static void a_compiler_remarks(void **state)
{
    (void)state;
    hide(HIDDEN_BY_BASELINE);
    const report_grading grading = {REPORT_ERROR, REPORT_WARNING};
    const report_options options = {0};
    report_tally tally = {0};
    tr_text text = {0};
    report_write_warnings(&text, &example_inputs[0], &example_kernels[0], &grading, &options,
                          &tally);
    assert_int_equal(tally.errors + tally.warnings, 0);
    assert_true(tally.remarks > 0);
    assert_non_null(strstr(tr_text_get(&text), "remark: in the baseline: "));
    assert_non_null(strstr(tr_text_get(&text), "note: in the baseline: the reason for it"));
    tr_text_free(&text);
    hide(HIDDEN_BY_NOTHING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_says_it),
        cmocka_unit_test(a_comment_has_a_place),
        cmocka_unit_test(text_leaves_out_what_is_known),
        cmocka_unit_test(totals_count_each_kind),
        cmocka_unit_test(a_compiler_remarks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

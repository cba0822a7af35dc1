/* JUnit XML, as Jenkins, GitLab and others show it: a test suite for each file, a test case for
 * each kernel. What fails here is what gives an exit code other than 0 (report_failing), and every
 * race. A kernel that is not decided is skipped: no reader of the format counts that as passed, and
 * none as failed. */
#include "report/report_private.h"

#include <string.h>

typedef enum outcome { PASSED, FAILED, ERRED, SKIPPED, OUTCOME_COUNT } outcome;

typedef struct counts {
    size_t tests, of[OUTCOME_COUNT];
    double seconds;
} counts;

static bool has_finding(const kernel_report *kernel, rule_level level)
{
    for (size_t i = 0; i < kernel->n_findings; i++)
        if (kernel->findings[i].level == level && !kernel->findings[i].hidden.by)
            return true;
    return false;
}

static outcome outcome_of(const writer *w, const input_report *input, const kernel_report *kernel)
{
    const report_failing *failing = failing_of(w, input);
    bool is_hidden = report_is_hidden(kernel);
    if ((kernel->verdict == VERDICT_RACE && !is_hidden) || has_finding(kernel, LEVEL_ERROR) ||
        (failing->warning && has_finding(kernel, LEVEL_WARNING)) ||
        (failing->conditional && kernel->verdict == VERDICT_CONDITIONAL && !is_hidden))
        return FAILED;
    if (kernel->verdict == VERDICT_UNKNOWN)
        return failing->unknown ? ERRED : SKIPPED;
    return PASSED;
}

static void count_kernel(const writer *w, const input_report *input, const kernel_report *kernel,
                         counts *c)
{
    c->tests++;
    c->of[outcome_of(w, input, kernel)]++;
    c->seconds += kernel->time_ms / 1000;
}

static counts count_input(const writer *w, const input_report *input)
{
    counts c = {0};
    if (input->n_errors > 0)
        return (counts){.tests = 1, .of = {[ERRED] = 1}};
    for (size_t k = 0; k < input->n_kernels; k++)
        count_kernel(w, input, &input->kernels[k], &c);
    c.tests += input->n_remarks;
    c.of[failing_of(w, input)->warning ? FAILED : PASSED] += input->n_remarks;
    return c;
}

static void add_attribute(writer *w, const char *name, const char *value)
{
    tr_text_addf(w->out, " %s=\"", name);
    escape_xml(w->out, value, true);
    tr_text_add(w->out, "\"");
}

/* Two test cases of one name are one to most readers: launches of one kernel are numbered. */
static const char *name_of(writer *w, const input_report *input, size_t which)
{
    const char *kernel = input->kernels[which].kernel;
    const char *name = kernel_words(w->arena, &input->kernels[which]);
    size_t number = 0, all = 0;
    for (size_t k = 0; k < input->n_kernels; k++) {
        bool same = strcmp(input->kernels[k].kernel, kernel) == 0;
        all += same;
        number += same && k <= which;
    }
    return all == 1 ? name : tr_arena_printf(w->arena, "%s (launch %zu)", name, number);
}

static const char *type_of(const kernel_report *kernel, outcome is)
{
    const finding *worst = worst_finding(kernel);
    if (is != FAILED)
        return reason_name(kernel->reason.kind);
    return worst ? rule_info_of(worst->rule)->code : report_verdict_name(kernel->verdict);
}

static void write_outcome(writer *w, const input_report *input, const kernel_report *kernel)
{
    static const char *const elements[] = {
        [FAILED] = "failure", [ERRED] = "error", [SKIPPED] = "skipped"};
    outcome is = outcome_of(w, input, kernel);
    const char *element = is == PASSED ? "system-out" : elements[is];
    tr_text_addf(w->out, "      <%s", element);
    if (is != PASSED) {
        add_attribute(w, "type", type_of(kernel, is));
        add_attribute(w, "message", gist_of(w, kernel));
    }
    tr_text_add(w->out, ">");
    escape_xml(w->out, kernel_text(w, input, kernel), false);
    tr_text_addf(w->out, "</%s>\n", element);
}

static void write_kernel(writer *w, const input_report *input, size_t which)
{
    const kernel_report *kernel = &input->kernels[which];
    tr_text_add(w->out, "    <testcase");
    add_attribute(w, "name", name_of(w, input, which));
    add_attribute(w, "classname", input->file);
    tr_text_addf(w->out, " time=\"%.3f\">\n", kernel->time_ms / 1000);
    write_outcome(w, input, kernel);
    tr_text_add(w->out, "    </testcase>\n");
}

static void write_unchecked(writer *w, const input_report *input)
{
    tr_text_add(w->out, "    <testcase");
    add_attribute(w, "name", report_unchecked.name);
    add_attribute(w, "classname", input->file);
    tr_text_add(w->out, " time=\"0.000\">\n      <error");
    add_attribute(w, "type", report_unchecked.name);
    add_attribute(w, "message", input->errors[0].text);
    tr_text_add(w->out, ">");
    escape_xml(w->out, input_error_text(w->arena, input), false);
    tr_text_add(w->out, "</error>\n    </testcase>\n");
}

/* A test case each, which fails where a warning does. */
static void write_remark_case(writer *w, const input_report *input, const input_remark *remark)
{
    const report_absence *info = report_remark_info(remark->kind);
    const char *element = failing_of(w, input)->warning ? "failure" : "system-out";
    tr_text_add(w->out, "    <testcase");
    add_attribute(
        w, "name",
        tr_arena_printf(w->arena, "%s at %s", info->name, place_words(w->arena, remark->place)));
    add_attribute(w, "classname", input->file);
    tr_text_addf(w->out, " time=\"0.000\">\n      <%s", element);
    if (failing_of(w, input)->warning) {
        add_attribute(w, "type", info->code);
        add_attribute(w, "message", remark->text);
    }
    tr_text_add(w->out, ">");
    escape_xml(w->out, remark_words(w, remark), false);
    tr_text_addf(w->out, "</%s>\n    </testcase>\n", element);
}

static void write_suite(writer *w, const input_report *input)
{
    counts c = count_input(w, input);
    tr_text_add(w->out, "  <testsuite");
    add_attribute(w, "name", input->file);
    tr_text_addf(w->out,
                 " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n",
                 c.tests, c.of[FAILED], c.of[ERRED], c.of[SKIPPED], c.seconds);
    if (input->n_errors > 0)
        write_unchecked(w, input);
    for (size_t k = 0; k < input->n_kernels && input->n_errors == 0; k++)
        write_kernel(w, input, k);
    for (size_t i = 0; i < input->n_remarks; i++)
        write_remark_case(w, input, &input->remarks[i]);
    tr_text_add(w->out, "  </testsuite>\n");
}

/* Writes the files that were found and not checked: skipped, as what is not decided. */
static void write_skipped(writer *w)
{
    size_t n = w->report->n_skipped;
    if (n == 0)
        return;
    tr_text_addf(w->out,
                 "  <testsuite name=\"not checked\" tests=\"%zu\" failures=\"0\" errors=\"0\" "
                 "skipped=\"%zu\" time=\"0.000\">\n",
                 n, n);
    for (size_t i = 0; i < n; i++) {
        const skipped_file *skipped = &w->report->skipped[i];
        tr_text_add(w->out, "    <testcase");
        add_attribute(w, "name", report_unchecked.name);
        add_attribute(w, "classname", skipped->path);
        tr_text_add(w->out, " time=\"0.000\">\n      <skipped");
        add_attribute(w, "message", skip_info_of(skipped->reason)->words);
        tr_text_add(w->out, "/>\n    </testcase>\n");
    }
    tr_text_add(w->out, "  </testsuite>\n");
}

static void write_left_out_of(writer *w, const input_report *input)
{
    for (size_t i = 0; i < input->n_left_out; i++) {
        tr_text_add(w->out, "    <testcase");
        add_attribute(w, "name", input->left_out[i].kernel);
        add_attribute(w, "classname", input->file);
        tr_text_add(w->out, " time=\"0.000\">\n      <skipped message=\"not affected\"/>\n"
                            "    </testcase>\n");
    }
}

static void write_left_out(writer *w)
{
    size_t n = w->report->n_left_out;
    if (!w->report->since)
        return;
    tr_text_add(w->out, "  <testsuite");
    add_attribute(w, "name", report_left_out_words(w->arena, w->report));
    tr_text_addf(w->out,
                 " tests=\"%zu\" failures=\"0\" errors=\"0\" skipped=\"%zu\" time=\"0.000\">\n", n,
                 n);
    for (size_t i = 0; i < w->report->n_inputs; i++) {
        write_left_out_of(w, report_input(w->report, i));
        writer_next(w);
    }
    tr_text_add(w->out, "  </testsuite>\n");
}

void write_junit(writer *w)
{
    counts all = {.tests = w->report->n_skipped + w->report->n_left_out};
    for (size_t i = 0; i < w->report->n_inputs; i++) {
        counts c = count_input(w, report_input(w->report, i));
        all.tests += c.tests;
        all.seconds += c.seconds;
        for (size_t is = 0; is < OUTCOME_COUNT; is++)
            all.of[is] += c.of[is];
    }
    tr_text_addf(w->out,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<testsuites name=\"tilerace\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
                 "time=\"%.3f\">\n",
                 all.tests, all.of[FAILED], all.of[ERRED], all.seconds);
    for (size_t i = 0; i < w->report->n_inputs; i++) {
        write_suite(w, report_input(w->report, i));
        writer_next(w);
    }
    write_skipped(w);
    write_left_out(w);
    tr_text_add(w->out, "</testsuites>\n");
}

/* Markdown for the summary of a GitHub job, and for comments: the kernels as a table, what needs a
 * look first, then the text of each kernel that is not proved, folded. A summary of more than 1 MiB
 * is refused as a whole, so this one ends before, and says so. */
#include "report/report_private.h"

#include <inttypes.h>

enum { MOST_BYTES = 900 << 10, MOST_ROWS = 1000 };

static const verdict_kind worst_first[] = {VERDICT_RACE, VERDICT_CONDITIONAL, VERDICT_UNKNOWN,
                                           VERDICT_RACE_FREE};

static bool is_full(const writer *w)
{
    return w->out->length > MOST_BYTES;
}

/* Returns the place to look at: the worst finding, else what could not be decided, else the
 * kernel. */
static const tr_place *place_of(const kernel_report *kernel)
{
    const finding *f = worst_finding(kernel);
    if (f && f->n_locations > 0 && place_known(f->locations[0].place))
        return f->locations[0].place;
    if (kernel->verdict == VERDICT_UNKNOWN && place_known(kernel->reason.place))
        return kernel->reason.place;
    return kernel->place;
}

static void add_cell(writer *w, const char *text)
{
    tr_text_add(w->out, " ");
    escape_markdown(w->out, text);
    tr_text_add(w->out, " |");
}

static void add_place_cell(writer *w, const char *file, const tr_place *place)
{
    const char *shown = file_from_folder(w, place && place->file ? place->file : file);
    add_cell(w, place_known(place) ? tr_arena_printf(w->arena, "%s:%" PRIu32, shown, place->line)
                                   : shown);
}

static void write_row(writer *w, const input_report *input, const kernel_report *kernel)
{
    bool is_bad = kernel->verdict == VERDICT_RACE && !report_is_hidden(kernel);
    tr_text_add(w->out, "|");
    add_cell(w, kernel_words(w->arena, kernel));
    tr_text_addf(w->out, is_bad ? " **%s** |" : " %s |", report_verdict_name(kernel->verdict));
    add_place_cell(w, input->file, place_of(kernel));
    add_cell(w, gist_of(w, kernel));
    tr_text_add(w->out, "\n");
}

static void write_unchecked_row(writer *w, const input_report *input)
{
    tr_text_add(w->out, "|  | **not checked** |");
    add_place_cell(w, input->file, &input->errors[0].place);
    add_cell(w, input->errors[0].text);
    tr_text_add(w->out, "\n");
}

static void write_rows_of(writer *w, verdict_kind verdict, size_t *n_rows)
{
    for (size_t i = 0; i < w->report->n_inputs; i++) {
        const input_report *input = report_input(w->report, i);
        for (size_t k = 0; k < input->n_kernels && input->n_errors == 0; k++)
            if (input->kernels[k].verdict == verdict && *n_rows < MOST_ROWS && !is_full(w)) {
                write_row(w, input, &input->kernels[k]);
                ++*n_rows;
            }
        writer_forget(w);
    }
}

static void write_table(writer *w, size_t n_kernels)
{
    size_t n_rows = 0;
    tr_text_add(w->out, "\n| kernel | verdict | where | what was found |\n"
                        "| --- | --- | --- | --- |\n");
    for (size_t i = 0; i < w->report->n_inputs && !is_full(w); i++) {
        if (report_input(w->report, i)->n_errors > 0)
            write_unchecked_row(w, report_input(w->report, i));
        writer_forget(w);
    }
    for (size_t i = 0; i < TR_COUNT(worst_first); i++)
        write_rows_of(w, worst_first[i], &n_rows);
    if (n_rows < n_kernels)
        tr_text_addf(w->out, "\n%zu more kernels are not shown.\n", n_kernels - n_rows);
}

static void write_folded(writer *w, const char *name, const char *what, const char *text)
{
    tr_text_add(w->out, "\n<details><summary>");
    escape_xml(w->out, name, false);
    tr_text_add(w->out, ": ");
    escape_xml(w->out, what, false);
    tr_text_add(w->out, "</summary>\n\n<pre>\n");
    escape_xml(w->out, text, false);
    tr_text_add(w->out, "</pre>\n\n</details>\n");
}

/* False: there was no room for all of it. */
static bool write_kernels_of(writer *w, verdict_kind verdict)
{
    for (size_t i = 0; i < w->report->n_inputs; i++) {
        const input_report *input = report_input(w->report, i);
        for (size_t k = 0; k < input->n_kernels && input->n_errors == 0; k++) {
            const kernel_report *kernel = &input->kernels[k];
            if (kernel->verdict != verdict ||
                (verdict == VERDICT_RACE_FREE && kernel->n_findings == 0))
                continue;
            if (is_full(w))
                return false;
            write_folded(w, kernel_words(w->arena, kernel), report_verdict_name(verdict),
                         kernel_text(w, input, kernel));
        }
        writer_forget(w);
    }
    return true;
}

/* Writes the remarks on comments. */
static void write_remarks(writer *w, const input_report *input)
{
    for (size_t i = 0; i < input->n_remarks && !is_full(w); i++) {
        tr_text_add(w->out, i == 0 ? "\n- " : "- ");
        escape_markdown(w->out, remark_words(w, &input->remarks[i]));
        tr_text_add(w->out, "\n");
    }
}

void write_markdown(writer *w)
{
    report_totals totals = report_count(w->report);
    tr_text_add(w->out, "## tilerace\n\n");
    escape_markdown(w->out, totals_words(w->arena, &totals));
    tr_text_add(w->out, "\n");
    const char *lines[REPORT_OMISSIONS];
    size_t n_lines = report_omissions(w->arena, w->report, lines);
    for (size_t i = 0; i < n_lines; i++) {
        tr_text_add(w->out, "\n");
        escape_markdown(w->out, lines[i]);
        tr_text_add(w->out, "\n");
    }
    if (totals.kernels + totals.not_checked > 0)
        write_table(w, totals.kernels);
    bool whole = true;
    for (size_t i = 0; i < w->report->n_inputs && !is_full(w); i++) {
        write_remarks(w, report_input(w->report, i));
        writer_forget(w);
    }
    for (size_t i = 0; i < w->report->n_inputs && !is_full(w); i++) {
        if (report_input(w->report, i)->n_errors > 0)
            write_folded(w, report_input(w->report, i)->file, "not checked",
                         input_error_text(w->arena, report_input(w->report, i)));
        writer_forget(w);
    }
    for (size_t i = 0; i < TR_COUNT(worst_first) && whole; i++)
        whole = write_kernels_of(w, worst_first[i]);
    if (!whole)
        tr_text_add(w->out, "\nThe rest is left out, since a summary may have 1 MiB.\n");
}

/* One page that needs no other file: a table of kernels, then each finding with its source. */
#include "base/embed.h"
#include "json/print.h"
#include "report/report_private.h"

#include <cjson/cJSON.h>
#include <inttypes.h>

TR_EMBED(report_page_css, "analyzer/report/page/page.css");
TR_EMBED(report_page_js, "analyzer/report/page/page.js");

/* Nothing is loaded from anywhere, whatever a name in the report says. */
#define POLICY                                                                                     \
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; " \
    "form-action 'none'"

static void add_element(writer *w, const char *element, const char *class, const char *text)
{
    tr_text_addf(w->out, class ? "<%s class=\"%s\">" : "<%s>", element, class);
    escape_xml(w->out, text, false);
    tr_text_addf(w->out, "</%s>", element);
}

static void write_table(writer *w)
{
    tr_text_add(w->out,
                "<table class=\"kernels\">\n<tr><th>file</th><th>kernel</th><th>verdict</th>"
                "<th>proved</th><th>ms</th></tr>\n");
    for (size_t i = 0; i < w->report->n_inputs; i++) {
        const input_report *input = report_input(w->report, i);
        if (input->n_errors > 0) {
            tr_text_add(w->out, "<tr>");
            add_element(w, "td", NULL, input->file);
            tr_text_add(w->out, "<td></td>");
            add_element(w, "td", "error", "not checked");
            tr_text_add(w->out, "<td></td><td></td></tr>\n");
        }
        for (size_t k = 0; k < input->n_kernels; k++) {
            const kernel_report *kernel = &input->kernels[k];
            const char *verdict = report_verdict_name(kernel->verdict);
            tr_text_add(w->out, "<tr>");
            add_element(w, "td", NULL, input->file);
            add_element(w, "td", NULL, kernel_words(w->arena, kernel));
            add_element(w, "td", verdict, verdict);
            tr_text_addf(w->out, "<td>%zu/%zu</td><td>%.1f</td></tr>\n", kernel->proved,
                         kernel->total, kernel->time_ms);
        }
        writer_next(w);
    }
    tr_text_add(w->out, "</table>\n");
}

static void write_location(writer *w, const input_report *input, const kernel_report *kernel,
                           const finding_location *location)
{
    const tr_place *place = location->place;
    tr_text_add(w->out, "<p>");
    escape_xml(w->out, location->role ? location->role : "access", false);
    if (!place_known(place)) {
        tr_text_addf(w->out, ": op %" PRIu32 " of ", location->op_ordinal);
        escape_xml(w->out, tr_arena_printf(w->arena, "'%s' in %s", kernel->kernel, input->file),
                   false);
        tr_text_add(w->out, "</p>\n");
        add_element(w, "pre", NULL, location->op_text ? location->op_text : "");
        tr_text_add(w->out, "\n");
        return;
    }
    tr_text_add(w->out, ": ");
    escape_xml(w->out, place_words(w->arena, place), false);
    tr_text_add(w->out, "</p>\n");
    size_t length = 0;
    const char *line = source_line(w, place->file, place->line, &length);
    if (line) {
        add_element(w, "pre", NULL, tr_arena_strndup(w->arena, line, length));
        tr_text_add(w->out, "\n");
    }
}

static void write_finding(writer *w, const input_report *input, const kernel_report *kernel,
                          const finding *f)
{
    const rule_info *rule = rule_info_of(f->rule);
    add_element(w, "h3", report_level_name(f->level),
                tr_arena_printf(w->arena, "%s: %s%s", rule->code, report_hidden_prefix(w->arena, f),
                                f->message));
    tr_text_add(w->out, "\n");
    for (size_t i = 0; i < f->n_locations; i++)
        write_location(w, input, kernel, &f->locations[i]);
    if (f->hidden.by) {
        add_element(w, "p", NULL,
                    tr_arena_printf(w->arena, "%s %s", hidden_info_of(f->hidden.by)->heading,
                                    f->hidden.reason));
        tr_text_add(w->out, "\n");
    }
    if (f->set_level) {
        add_element(w, "p", NULL,
                    tr_arena_printf(w->arena, "%s %s", level_heading(f), level_words(w->arena, f)));
        tr_text_add(w->out, "\n");
    }
    if (f->words) {
        add_element(w, "pre", NULL, f->words);
        tr_text_add(w->out, "\n");
    }
    for (size_t i = 0; i < f->n_fixes; i++) {
        add_element(w, "p", NULL,
                    tr_arena_printf(w->arena, "fix%s: %s", f->fixes[i].verified ? " (proved)" : "",
                                    f->fixes[i].text));
        tr_text_add(w->out, "\n");
    }
    add_element(w, "p", NULL, rule->help);
    tr_text_add(w->out, "\n");
}

/* ---- Pictures ---- */

static void write_sentences(writer *w, const cJSON *words)
{
    tr_text_add(w->out, "<ul>\n");
    for (const cJSON *sentence = words ? words->child : NULL; sentence; sentence = sentence->next) {
        add_element(w, "li", NULL, cJSON_IsString(sentence) ? sentence->valuestring : "");
        tr_text_add(w->out, "\n");
    }
    tr_text_add(w->out, "</ul>\n");
}

/* The data for the script. */
static void write_data(writer *w, const char *json)
{
    tr_text_add(w->out, "<script type=\"application/json\">");
    json_add_to_page(w->out, json);
    tr_text_add(w->out, "</script>\n");
}

/* Writes what the picture shows, in sentences too, and the witness beside it. */
static void write_picture(writer *w, const kernel_report *k)
{
    cJSON *picture = k->picture ? cJSON_Parse(utf8_clean(w->arena, k->picture)) : NULL;
    if (!picture)
        return;
    const cJSON *shown = cJSON_GetObjectItemCaseSensitive(picture, "witness");
    const cJSON *words = cJSON_GetObjectItemCaseSensitive(shown, "words");
    bool both = cJSON_IsString(words);
    tr_text_addf(w->out, "<section class=\"picture%s\" aria-label=\"who writes what\">\n",
                 both ? " both" : "");
    tr_text_add(w->out, "<div class=\"drawn\">\n");
    write_data(w, utf8_clean(w->arena, k->picture));
    tr_text_add(w->out, "</div>\n<div>\n");
    if (both) {
        add_element(w, "h4", NULL, "Witness");
        add_element(w, "pre", NULL, words->valuestring);
    }
    write_sentences(w, cJSON_GetObjectItemCaseSensitive(picture, "words"));
    tr_text_add(w->out, "</div>\n</section>\n");
    cJSON_Delete(picture);
}

static void write_kernel(writer *w, const input_report *input, const kernel_report *k)
{
    add_element(w, "h2", report_verdict_name(k->verdict),
                tr_arena_printf(w->arena, "%s: %s", kernel_words(w->arena, k),
                                report_verdict_name(k->verdict)));
    tr_text_add(w->out, "\n");
    write_picture(w, k);
    if (k->verdict == VERDICT_UNKNOWN) {
        add_element(w, "p", NULL,
                    tr_arena_printf(w->arena, "%s [%s]", k->reason.text ? k->reason.text : "",
                                    reason_name(k->reason.kind)));
        tr_text_add(w->out, "\n");
    }
    for (size_t i = 0; i < k->n_requires; i++) {
        add_element(w, "p", NULL,
                    tr_arena_printf(w->arena, "requires (%s): %s",
                                    precondition_class_name(k->requires_[i].what.class_),
                                    k->requires_[i].text));
        tr_text_add(w->out, "\n");
    }
    for (size_t f = 0; f < k->n_findings; f++)
        write_finding(w, input, k, &k->findings[f]);
}

void write_html(writer *w)
{
    report_totals totals = report_count(w->report);
    tr_text_addf(w->out,
                 "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<title>tilerace report</title>\n<style>\n%s</style>\n<header>\n"
                 "<h1>tilerace report</h1>\n<button type=\"button\" id=\"theme\" hidden></button>\n"
                 "</header>\n<main>\n",
                 POLICY, report_page_css);
    add_element(w, "p", NULL, totals_words(w->arena, &totals));
    tr_text_add(w->out, "\n");
    const char *lines[REPORT_OMISSIONS];
    size_t n_lines = report_omissions(w->arena, w->report, lines);
    for (size_t i = 0; i < n_lines; i++) {
        add_element(w, "p", NULL, lines[i]);
        tr_text_add(w->out, "\n");
    }
    write_table(w);
    for (size_t i = 0; i < w->report->n_inputs; i++) {
        const input_report *input = report_input(w->report, i);
        if (input->n_errors > 0) {
            add_element(w, "h2", "error",
                        tr_arena_printf(w->arena, "%s: not checked", input->file));
            add_element(w, "pre", NULL, input_error_text(w->arena, input));
            tr_text_add(w->out, "\n");
        }
        for (size_t r = 0; r < input->n_remarks; r++) {
            add_element(w, "p", "warning", remark_words(w, &input->remarks[r]));
            tr_text_add(w->out, "\n");
        }
        for (size_t k = 0; k < input->n_kernels; k++)
            write_kernel(w, input, &input->kernels[k]);
        writer_next(w);
    }
    tr_text_addf(w->out, "</main>\n<script>\n%s</script>\n</html>\n", report_page_js);
}

/* GitHub's workflow commands: each line becomes an annotation of the run. */
#include "report/report_private.h"

#include <inttypes.h>

static void write_annotation(writer *w, rule_level level, const char *file, const tr_place *place,
                             const char *title, const char *text)
{
    static const char *const commands[] = {
        [LEVEL_NOTE] = "notice", [LEVEL_WARNING] = "warning", [LEVEL_ERROR] = "error"};
    tr_text_addf(w->out, "::%s file=", commands[level]);
    escape_command(w->out, file_from_folder(w, place && place->file ? place->file : file), true);
    if (place_known(place)) {
        tr_text_addf(w->out, ",line=%" PRIu32, place->line);
        if (place->end_line >= place->line)
            tr_text_addf(w->out, ",endLine=%" PRIu32, place->end_line);
        if (place->column > 0)
            tr_text_addf(w->out, ",col=%" PRIu32, place->column);
        if (place->end_line == place->line && place->end_column > place->column)
            tr_text_addf(w->out, ",endColumn=%" PRIu32, place->end_column);
    }
    tr_text_add(w->out, ",title=");
    escape_command(w->out, title, true);
    tr_text_add(w->out, "::");
    escape_command(w->out, text, false);
    tr_text_add(w->out, "\n");
}

static void write_finding(writer *w, const input_report *input, const kernel_report *kernel,
                          const finding *f)
{
    const rule_info *rule = rule_info_of(f->rule);
    tr_text text = {0};
    tr_text_add(&text, f->message);
    for (size_t i = 0; i < f->n_locations; i++) {
        const char *op = op_words(w->arena, kernel, &f->locations[i]);
        if (op)
            tr_text_addf(&text, "\n%s %s", f->locations[i].role, op);
        else if (i > 0 && place_known(f->locations[i].place))
            tr_text_addf(&text, "\n%s: %s", f->locations[i].role,
                         place_words(w->arena, f->locations[i].place));
    }
    const char *compiled_for = signature_words(w->arena, kernel);
    if (compiled_for)
        tr_text_addf(&text, "\n%s %s", signature_heading(kernel), compiled_for);
    if (f->set_level)
        tr_text_addf(&text, "\n%s %s", level_heading(f), level_words(w->arena, f));
    if (f->words)
        tr_text_addf(&text, "\n%s", f->words);
    write_annotation(w, f->level, input->file, f->n_locations > 0 ? f->locations[0].place : NULL,
                     tr_arena_printf(w->arena, "%s %s", rule->code, rule->name),
                     tr_text_get(&text));
    tr_text_free(&text);
}

void write_github(writer *w)
{
    for (size_t i = 0; i < w->report->n_inputs; i++) {
        const input_report *input = report_input(w->report, i);
        for (size_t e = 0; e < input->n_errors; e++)
            write_annotation(w, LEVEL_ERROR, input->file, &input->errors[e].place,
                             report_unchecked.name, input->errors[e].text);
        for (size_t r = 0; r < input->n_remarks; r++) {
            const report_absence *info = report_remark_info(input->remarks[r].kind);
            write_annotation(w, info->level, input->file, input->remarks[r].place,
                             tr_arena_printf(w->arena, "%s %s", info->code, info->name),
                             input->remarks[r].text);
        }
        for (size_t k = 0; k < input->n_kernels; k++) {
            const kernel_report *kernel = &input->kernels[k];
            for (size_t f = 0; f < kernel->n_findings; f++)
                if (!kernel->findings[f].hidden.by)
                    write_finding(w, input, kernel, &kernel->findings[f]);
            if (kernel->verdict == VERDICT_UNKNOWN)
                write_annotation(w, LEVEL_NOTE, input->file,
                                 place_known(kernel->reason.place) ? kernel->reason.place
                                                                   : kernel->place,
                                 report_undecided.name, undecided_words(w->arena, kernel));
        }
        writer_next(w);
    }
    report_totals totals = report_count(w->report);
    tr_text_addf(w->out, "%s\n", totals_words(w->arena, &totals));
    const char *lines[REPORT_OMISSIONS];
    size_t n = report_omissions(w->arena, w->report, lines);
    for (size_t i = 0; i < n; i++) {
        tr_text_add(w->out, "::notice title=not checked::");
        escape_command(w->out, lines[i], false);
        tr_text_add(w->out, "\n");
    }
}

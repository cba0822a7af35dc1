/* Sums up a report, in numbers and in words; and what it leaves out. */
#include "report/report_private.h"

bool report_is_hidden(const kernel_report *kernel)
{
    size_t n_hidden = 0;
    for (size_t f = 0; f < kernel->n_findings; f++) {
        if (!kernel->findings[f].hidden.by && kernel->findings[f].level != LEVEL_NOTE)
            return false;
        n_hidden += kernel->findings[f].hidden.by != HIDDEN_BY_NOTHING;
    }
    return n_hidden > 0;
}

bool report_is_lowered(const finding *f)
{
    return f->set_level && f->was > f->level;
}

report_totals report_count(const full_report *report)
{
    report_totals t = {0};
    t.inputs = report->n_inputs;
    for (size_t i = 0; i < report->n_inputs; i++) {
        const input_report *input = report_input(report, i);
        t.not_checked += input->n_errors > 0;
        t.warnings += input->n_remarks;
        t.hidden[HIDDEN_BY_SELECTION] += input->n_hidden_remarks;
        for (size_t k = 0; k < input->n_kernels; k++) {
            const kernel_report *kernel = &input->kernels[k];
            t.kernels++;
            t.race_free += kernel->verdict == VERDICT_RACE_FREE;
            t.conditional += kernel->verdict == VERDICT_CONDITIONAL;
            t.race += kernel->verdict == VERDICT_RACE;
            t.unknown += kernel->verdict == VERDICT_UNKNOWN;
            bool is_hidden = report_is_hidden(kernel);
            t.race_hidden += is_hidden && kernel->verdict == VERDICT_RACE;
            t.conditional_hidden += is_hidden && kernel->verdict == VERDICT_CONDITIONAL;
            for (size_t f = 0; f < kernel->n_findings; f++) {
                rule_level level = kernel->findings[f].level;
                t.lowered += report_is_lowered(&kernel->findings[f]);
                if (kernel->findings[f].hidden.by) {
                    t.hidden[kernel->findings[f].hidden.by]++;
                    continue;
                }
                t.errors += level == LEVEL_ERROR;
                t.warnings += level == LEVEL_WARNING;
                t.notes += level == LEVEL_NOTE;
            }
        }
    }
    return t;
}

void report_add_totals(report_totals *to, const report_totals *from)
{
    to->kernels += from->kernels;
    to->race_free += from->race_free;
    to->conditional += from->conditional;
    to->race += from->race;
    to->unknown += from->unknown;
    to->inputs += from->inputs;
    to->not_checked += from->not_checked;
    to->errors += from->errors;
    to->warnings += from->warnings;
    to->notes += from->notes;
    for (size_t by = 0; by < HIDDEN_BY_COUNT; by++)
        to->hidden[by] += from->hidden[by];
    to->race_hidden += from->race_hidden;
    to->conditional_hidden += from->conditional_hidden;
    to->lowered += from->lowered;
}

const char *report_skipped_words(tr_arena *arena, const full_report *report)
{
    size_t n[SKIPPED_COUNT] = {0};
    const char *words = "";
    for (size_t i = 0; i < report->n_skipped; i++)
        n[report->skipped[i].reason]++;
    for (int reason = 0; reason < SKIPPED_COUNT; reason++)
        if (n[reason] > 0)
            words = tr_arena_printf(arena, "%s%s%zu %s", words,
                                    *words ? ", " : "not checked: ", n[reason],
                                    skip_info_of((skip_reason)reason)->words);
    return words;
}

const char *report_left_out_words(tr_arena *arena, const full_report *report)
{
    size_t n = report->n_left_out;
    if (!report->since)
        return "";
    return tr_arena_printf(arena, "not affected by the change since %s: %zu kernel%s",
                           report->since, n, n == 1 ? "" : "s");
}

size_t report_omissions(tr_arena *arena, const full_report *report,
                        const char *lines[REPORT_OMISSIONS])
{
    const char *const all[REPORT_OMISSIONS] = {report_skipped_words(arena, report),
                                               report_left_out_words(arena, report)};
    size_t n = 0;
    for (size_t i = 0; i < REPORT_OMISSIONS; i++)
        if (*all[i])
            lines[n++] = all[i];
    return n;
}

const char *report_hidden_words(tr_arena *arena, const size_t hidden[HIDDEN_BY_COUNT])
{
    const char *words = "";
    for (int by = HIDDEN_BY_NOTHING + 1; by < HIDDEN_BY_COUNT; by++)
        if (hidden[by] > 0)
            words = tr_arena_printf(arena, "%s%s%zu %s", words, *words ? ", " : "", hidden[by],
                                    hidden_info_of((hidden_by)by)->words);
    return words;
}

const char *totals_words(tr_arena *arena, const report_totals *t)
{
    const char *words = tr_arena_printf(
        arena, "%zu kernel%s: %zu proved race-free, %zu conditional, %zu racy, %zu unknown",
        t->kernels, t->kernels == 1 ? "" : "s", t->race_free, t->conditional, t->race, t->unknown);
    if (t->not_checked > 0)
        words = tr_arena_printf(arena, "%s; %zu file%s not checked", words, t->not_checked,
                                t->not_checked == 1 ? "" : "s");
    const char *hidden = report_hidden_words(arena, t->hidden);
    if (t->errors + t->warnings + t->notes > 0 || *hidden)
        words =
            tr_arena_printf(arena, "%s; findings: %zu error%s, %zu warning%s", words, t->errors,
                            t->errors == 1 ? "" : "s", t->warnings, t->warnings == 1 ? "" : "s");
    if (*hidden)
        words = tr_arena_printf(arena, "%s, %s", words, hidden);
    if (t->lowered > 0)
        words = tr_arena_printf(arena, "%s, %zu lowered", words, t->lowered);
    return words;
}

void report_write_totals(tr_text *out, const report_totals *totals)
{
    tr_arena *arena = tr_arena_new();
    tr_text_addf(out, "%s\n", totals_words(arena, totals));
    tr_arena_free(arena);
}

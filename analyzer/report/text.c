/* The text format, in the style of gcc and clang: `file:line:col: level: sentence [TR001]`, the
 * source line, a caret. Editors and CI matchers know this form. */
#include "report/report_private.h"

#include <inttypes.h>
#include <string.h>

static paint paint_of(rule_level level)
{
    return level == LEVEL_ERROR ? PAINT_ERROR : level == LEVEL_WARNING ? PAINT_WARNING : PAINT_NOTE;
}

/* Start of a message line: "file:line:col: ", or "file: " where no line is known. */
void write_place(writer *w, const char *file, const tr_place *place)
{
    const char *of = place && place->file ? place->file : file;
    const char *prefix = place_known(place) ? place_words(w->arena, place) : of;
    write_file_link(w, of, PAINT_PLACE, tr_arena_printf(w->arena, "%s: ", prefix));
}

const char *frame_words(tr_arena *arena, const tr_place *place)
{
    return tr_arena_printf(arena, "inlined from '%s' here",
                           place->function ? place->function : "a helper");
}

void write_frames(writer *w, const tr_place *place)
{
    for (const tr_place *at = place; at && at->inlined_at; at = at->inlined_at) {
        write_place(w, NULL, at->inlined_at);
        write_painted(w, PAINT_NOTE, "note: ");
        write_said(w, "%s\n", frame_words(w->arena, at));
        write_source(w, at->inlined_at);
    }
}

/* Several lines of words under a heading, indented. */
static void write_words(writer *w, const char *heading, const char *words)
{
    tr_text_add(w->out, "    ");
    write_painted(w, PAINT_NOTE, heading);
    size_t indent = strlen(heading) + 4;
    for (const char *line = words; *line;) {
        size_t length = strcspn(line, "\n");
        write_said(w, " %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
        if (*line)
            write_said(w, "%*s", (int)indent, "");
    }
}

/* Writes the op itself where its place is not known. */
static void write_op(writer *w, const kernel_report *kernel, const finding_location *location)
{
    const char *words = op_words(w->arena, kernel, location);
    if (words)
        write_said(w, "      %s\n", words);
}

const char *location_words(writer *w, const finding *f, size_t i)
{
    const finding_location *location = &f->locations[i];
    const witness_event *event = event_of_location(f, i);
    const char *words = location->role ? location->role : "access";
    if (event && event->access)
        words = tr_arena_printf(w->arena, "%s: %s by %s", words, event->access,
                                event_words(w->arena, f, event));
    return words;
}

static void write_signature(writer *w, const kernel_report *kernel)
{
    const char *words = signature_words(w->arena, kernel);
    if (words)
        write_words(w, signature_heading(kernel), words);
}

static void write_finding(writer *w, const input_report *input, const kernel_report *kernel,
                          const finding *f)
{
    const finding_location none = {0};
    const finding_location *first = f->n_locations > 0 ? &f->locations[0] : &none;
    const rule_info *rule = rule_info_of(f->rule);
    write_place(w, input->file, first->place);
    rule_level level = f->hidden.by ? LEVEL_NOTE : f->level;
    write_painted(w, paint_of(level),
                  tr_arena_printf(w->arena, "%s: %s", report_level_name(level),
                                  report_hidden_prefix(w->arena, f)));
    write_said(w, "%s%s [", f->confidence == CONFIDENCE_POSSIBLE ? "possible: " : "", f->message);
    write_rule_link(w, rule->code);
    tr_text_add(w->out, "]\n");
    write_source(w, first->place);
    write_op(w, kernel, first);
    write_frames(w, first->place);
    for (size_t i = 1; i < f->n_locations; i++) {
        write_place(w, input->file, f->locations[i].place);
        write_painted(w, PAINT_NOTE, "note: ");
        write_said(w, "%s\n", location_words(w, f, i));
        write_source(w, f->locations[i].place);
        write_op(w, kernel, &f->locations[i]);
        write_frames(w, f->locations[i].place);
    }
    write_signature(w, kernel);
    if (f->hidden.by)
        write_words(w, hidden_info_of(f->hidden.by)->heading, f->hidden.reason);
    if (f->set_level)
        write_words(w, level_heading(f), level_words(w->arena, f));
    if (f->words && f->words[0])
        write_words(w, "witness:", f->words);
    for (size_t i = 0; i < f->n_fixes; i++)
        write_words(w, f->fixes[i].verified ? "fix, proved:" : "fix:", f->fixes[i].text);
}

/* The kernel's verdict on one line and what it rests on. */
static const char *requires_word(const require *asked)
{
    static const char *const words[] = {[PRECONDITION_CLASS_STANDING] = "requires (standing):",
                                        [PRECONDITION_CLASS_LAUNCH] = "requires:",
                                        [PRECONDITION_CLASS_RACE] = "requires (race):"};
    return words[asked->what.class_];
}

static const char *require_text(const writer *w, const require *asked)
{
    return w->options && w->options->verbose ? asked->text : asked->brief;
}

/* Two formulas that are cut may read alike: such a line stands once. */
static bool is_written(const writer *w, const kernel_report *k, size_t which)
{
    for (size_t i = 0; i < which; i++)
        if (k->requires_[i].what.class_ == k->requires_[which].what.class_ &&
            strcmp(require_text(w, &k->requires_[i]), require_text(w, &k->requires_[which])) == 0)
            return true;
    return false;
}

static void write_requires(writer *w, const kernel_report *k)
{
    for (size_t i = 0; i < k->n_requires; i++)
        if (!is_written(w, k, i))
            write_words(w, requires_word(&k->requires_[i]), require_text(w, &k->requires_[i]));
}

static void write_origin(writer *w, const contract_origin *origin)
{
    const char *by = origin->program ? origin->program : "";
    if (origin->file)
        write_words(w, "launched at:",
                    tr_arena_printf(w->arena, "%s:%" PRIu32 "%s%s", origin->file, origin->line,
                                    by[0] ? ", by " : "", by));
    else if (by[0])
        write_words(w, "launched by:", by);
}

/* A finding that a comment allows is shown as a note; what else is hidden, only where all is asked
 * for. */
static bool is_shown(const writer *w, const finding *f)
{
    return f->hidden.by <= HIDDEN_BY_COMMENT || (w->options && w->options->verbose);
}

/* "; findings that are not shown: 2 in the baseline" */
static void write_unshown(writer *w, const kernel_report *k)
{
    size_t hidden[HIDDEN_BY_COUNT] = {0};
    for (size_t f = 0; f < k->n_findings; f++)
        hidden[k->findings[f].hidden.by] += !is_shown(w, &k->findings[f]);
    const char *words = report_hidden_words(w->arena, hidden);
    if (*words)
        write_said(w, "; findings that are not shown: %s", words);
}

static void write_verdict(writer *w, const input_report *input, const kernel_report *k)
{
    const tr_place *place = k->place;
    if (k->verdict == VERDICT_UNKNOWN && place_known(k->reason.place))
        place = k->reason.place;
    write_place(w, input->file, place);
    static const struct {
        paint color;
        const char *text;
    } words[] = {[VERDICT_RACE_FREE] = {PAINT_GOOD, "race-free: "},
                 [VERDICT_CONDITIONAL] = {PAINT_WARNING, "conditional: "},
                 [VERDICT_RACE] = {PAINT_ERROR, "race: "},
                 [VERDICT_UNKNOWN] = {PAINT_NOTE, "note: "}};
    write_painted(w, words[k->verdict].color, words[k->verdict].text);
    switch (k->verdict) {
    case VERDICT_RACE_FREE:
        if (k->is_empty) {
            write_said(w, "'%s' does nothing: the launch has no tile blocks", k->kernel);
            break;
        }
        write_said(w, "'%s' cannot race: %zu obligations, %zu proved", k->kernel, k->total,
                   k->proved);
        if (k->vacuous > 0)
            write_said(w, ", %zu vacuous", k->vacuous);
        break;
    case VERDICT_CONDITIONAL:
        write_said(w, "'%s': %zu obligations proved, under preconditions whose violation is a race",
                   k->kernel, k->proved);
        break;
    case VERDICT_RACE:
        write_said(w, "'%s' races: %zu of %zu obligations refuted", k->kernel, k->refuted,
                   k->total);
        break;
    case VERDICT_COUNT:
        break;
    case VERDICT_UNKNOWN:
        write_said(w, "%s", undecided_words(w->arena, k));
        break;
    }
    write_unshown(w, k);
    tr_text_add(w->out, "\n");
    if (k->verdict == VERDICT_UNKNOWN && place_known(k->reason.place))
        write_source(w, k->reason.place);
    write_signature(w, k);
    for (size_t i = 0; i < k->n_orders; i++)
        write_words(w, "ordered:", k->orders[i]);
    write_requires(w, k);
    write_origin(w, &k->origin);
    for (size_t i = 0; i < k->n_observed; i++)
        write_words(w, "observed (not used in a proof):", k->observed[i]);
    if (k->tokens_per_name)
        write_words(w, "rests on:", "loop tokens read per-name");
    if (k->by_solver && w->options && w->options->verbose)
        write_words(w, "rests on:",
                    tr_arena_printf(w->arena, "answers of the solver, which proved %zu of %zu",
                                    k->proved_by_solver, k->proved));
}

static void write_error(writer *w, const char *file, const tr_error *error)
{
    write_place(w, file, &error->place);
    write_painted(w, PAINT_ERROR, "error: ");
    write_said(w, "%s\n", error->text);
    write_source(w, &error->place);
    write_frames(w, &error->place);
    if (error->hint)
        write_words(w, "hint:", error->hint);
}

static void write_kernel_text(writer *w, const input_report *input, const kernel_report *kernel,
                              bool verdict)
{
    for (size_t f = 0; f < kernel->n_findings; f++)
        if (is_shown(w, &kernel->findings[f]))
            write_finding(w, input, kernel, &kernel->findings[f]);
    if (verdict)
        write_verdict(w, input, kernel);
}

/* An unknown has no finding: where the exit code tells of it, the reader must learn why. */
static bool tells_verdict(const writer *w, const input_report *input, const kernel_report *kernel)
{
    return !w->options->quiet ||
           (kernel->verdict == VERDICT_UNKNOWN && failing_of(w, input)->unknown);
}

static void write_names_left_out(writer *w, const input_report *input)
{
    for (size_t i = 0; i < input->n_left_out; i++)
        write_said(w, "    %s: '%s'\n", input->file, input->left_out[i].kernel);
}

/* A line of counts each; names where they are asked for. */
static void write_omissions(writer *w)
{
    const char *words = report_skipped_words(w->arena, w->report);
    const char *left_out = report_left_out_words(w->arena, w->report);
    if (*words)
        write_said(w, "%s\n", words);
    for (size_t i = 0; i < w->report->n_skipped && w->options->verbose; i++)
        write_said(w, "    %s: %s\n", w->report->skipped[i].path,
                   skip_info_of(w->report->skipped[i].reason)->words);
    if (*left_out)
        write_said(w, "%s\n", left_out);
    for (size_t i = 0; i < w->report->n_inputs && w->options->verbose; i++)
        write_names_left_out(w, report_input(w->report, i));
}

static void write_remark(writer *w, const input_report *input, const input_remark *remark)
{
    write_place(w, input->file, remark->place);
    write_painted(w, PAINT_WARNING, "warning: ");
    tr_text_addf(w->out, "%s [%s]\n", remark->text, report_remark_info(remark->kind)->code);
    write_source(w, remark->place);
}

void write_text(writer *w)
{
    for (size_t i = 0; i < w->report->n_inputs; i++) {
        const input_report *input = report_input(w->report, i);
        for (size_t e = 0; e < input->n_errors; e++)
            write_error(w, input->file, &input->errors[e]);
        for (size_t r = 0; r < input->n_remarks; r++)
            write_remark(w, input, &input->remarks[r]);
        for (size_t k = 0; k < input->n_kernels; k++)
            if (!w->options->brief || input->kernels[k].verdict != VERDICT_RACE_FREE ||
                input->kernels[k].n_findings > 0)
                write_kernel_text(w, input, &input->kernels[k],
                                  tells_verdict(w, input, &input->kernels[k]));
        writer_next(w);
    }
    report_totals totals = report_count(w->report);
    if (!w->options->quiet && (!w->options->brief || totals.inputs > 0))
        write_said(w, "%s\n", totals_words(w->arena, &totals));
    if (!w->options->brief)
        write_omissions(w);
}

void report_write_kernel(tr_text *out, const input_report *input, const kernel_report *kernel,
                         bool verdict, const report_options *options)
{
    writer w = writer_open(out, NULL, options);
    write_kernel_text(&w, input, kernel, verdict);
    writer_close(&w);
}

void report_write_remarks(tr_text *out, const input_report *input, const report_options *options)
{
    writer w = writer_open(out, NULL, options);
    for (size_t i = 0; i < input->n_remarks; i++)
        write_remark(&w, input, &input->remarks[i]);
    writer_close(&w);
}

void report_write_error(tr_text *out, const char *file, const tr_error *error,
                        const report_options *options)
{
    writer w = writer_open(out, NULL, options);
    write_error(&w, file, error);
    writer_close(&w);
}

const char *kernel_text(writer *w, const input_report *input, const kernel_report *kernel)
{
    const report_options plain = {.verbose = w->options->verbose, .folder = w->options->folder};
    tr_text text = {0};
    report_write_kernel(&text, input, kernel, true, &plain);
    const char *kept = tr_arena_strdup(w->arena, tr_text_get(&text));
    tr_text_free(&text);
    return kept;
}

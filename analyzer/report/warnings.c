/* Findings as warnings of a compiler, in Clang's form: what editors, CMake's dashboards and
 * matchers of CI know. */
#include "report/report_private.h"

#include <string.h>

static const struct {
    const char *name;
    paint color;
} severities[] = {
    [REPORT_NOTE] = {"note: ", PAINT_NOTE},
    [REPORT_REMARK] = {"remark: ", PAINT_NOTE},
    [REPORT_WARNING] = {"warning: ", PAINT_WARNING},
    [REPORT_ERROR] = {"error: ", PAINT_ERROR},
    [REPORT_FATAL_ERROR] = {"fatal error: ", PAINT_ERROR},
};

/* ---- Section: Messages ---- */

static void count(report_tally *tally, report_severity severity)
{
    tally->remarks += severity == REPORT_REMARK;
    tally->warnings += severity == REPORT_WARNING;
    tally->errors += severity >= REPORT_ERROR;
}

static void write_data(writer *w, const char *file, const tr_place *place, report_severity severity,
                       const char *rule, const char *text)
{
    const bool known = place_known(place);
    const report_told told = {.severity = severity,
                              .text = text,
                              .rule = rule,
                              .file = place && place->file ? place->file : file,
                              .line = known ? place->line : 0,
                              .column = known ? place->column : 0};
    report_write_told(w->out, &told);
}

static void write_frames_as_data(writer *w, const tr_place *place)
{
    for (const tr_place *at = place; at && at->inlined_at; at = at->inlined_at)
        write_data(w, NULL, at->inlined_at, REPORT_NOTE, NULL, frame_words(w->arena, at));
}

static void write_message(writer *w, const char *file, const report_message *m, report_tally *tally)
{
    count(tally, m->severity);
    if (w->options->as_data) {
        write_data(w, file, m->place, m->severity, m->rule, m->text);
        write_frames_as_data(w, m->place);
        return;
    }
    bool has_group = m->group && m->group[0];
    write_place(w, file, m->place);
    write_painted(w, severities[m->severity].color, severities[m->severity].name);
    write_said(w, "%s", m->text);
    if (has_group)
        write_said(w, " [%s%s]", m->was_warning ? "-Werror," : "", m->group);
    tr_text_add(w->out, "\n");
    if (m->has_marks)
        write_marked(w, m->place, m->n_marks, m->marks, true);
    else
        write_source(w, m->place);
    write_frames(w, m->place);
}

static writer begin(tr_text *out, const report_options *options)
{
    return (writer){.out = out, .options = options, .arena = tr_arena_new()};
}

static void end(writer *w)
{
    sources_free(w);
    tr_arena_free(w->arena);
}

void report_write_message(tr_text *out, const report_message *message, const char *file,
                          const report_options *options, report_tally *tally)
{
    writer w = begin(out, options);
    write_message(&w, file, message, tally);
    end(&w);
}

/* ---- Section: Findings ---- */

typedef struct warning_writer {
    writer w;
    const input_report *input;
    const kernel_report *kernel;
    const report_grading *grading;
    report_tally *tally;
} warning_writer;

static report_severity severity_of(const warning_writer *ww, const finding *f)
{
    if (f->level == LEVEL_NOTE || ww->grading->other == REPORT_NO_MESSAGE)
        return REPORT_NO_MESSAGE;
    if (f->confidence == CONFIDENCE_POSSIBLE || f->hidden.by)
        return REPORT_REMARK;
    return f->level == LEVEL_ERROR && !f->is_example ? ww->grading->race : ww->grading->other;
}

static void write_note(warning_writer *ww, const tr_place *place, const char *text)
{
    report_message note = {.place = place, .severity = REPORT_NOTE, .text = text};
    write_message(&ww->w, ww->input->file, &note, ww->tally);
}

/* A note without its source line, one for each line of the words: the line was shown just above. */
static void write_words(warning_writer *ww, const tr_place *place, const char *heading,
                        const char *words)
{
    for (const char *line = words; line && *line;) {
        size_t length = strcspn(line, "\n");
        const char *text = tr_arena_printf(ww->w.arena, "%s%.*s", heading, (int)length, line);
        if (ww->w.options->as_data) {
            write_data(&ww->w, ww->input->file, place, REPORT_NOTE, NULL, text);
        } else {
            write_place(&ww->w, ww->input->file, place);
            write_painted(&ww->w, PAINT_NOTE, "note: ");
            write_said(&ww->w, "%s\n", text);
        }
        line += length + (line[length] == '\n');
    }
}

/* Writes the op itself where its place is not known. */
static void write_op(warning_writer *ww, const finding *f, size_t i)
{
    if (i < f->n_locations)
        write_words(ww, NULL, "", op_words(ww->w.arena, ww->kernel, &f->locations[i]));
}

static void write_finding(warning_writer *ww, const finding *f)
{
    report_severity severity = severity_of(ww, f);
    if (severity == REPORT_NO_MESSAGE)
        return;
    tr_arena *arena = ww->w.arena;
    const tr_place *first = f->n_locations > 0 ? f->locations[0].place : NULL;
    const char *possible = f->confidence == CONFIDENCE_POSSIBLE ? "possible: " : "";
    report_message m = {.place = first,
                        .severity = severity,
                        .text = tr_arena_printf(arena, "%s%s%s", report_hidden_prefix(arena, f),
                                                possible, f->message),
                        .group = severity == REPORT_REMARK ? "-Rrace" : "-Wrace",
                        .rule = rule_info_of(f->rule)->code,
                        .was_warning = severity == REPORT_ERROR};
    write_message(&ww->w, ww->input->file, &m, ww->tally);
    write_op(ww, f, 0);
    for (size_t i = 1; i < f->n_locations; i++) {
        write_note(ww, f->locations[i].place, location_words(&ww->w, f, i));
        write_op(ww, f, i);
    }
    if (ww->w.options->names_kernel)
        write_words(ww, ww->kernel->place, "",
                    tr_arena_printf(arena, "in kernel '%s'", ww->kernel->kernel));
    if (f->hidden.by)
        write_words(ww, first, tr_arena_printf(arena, "%s ", hidden_info_of(f->hidden.by)->heading),
                    f->hidden.reason);
    write_words(ww, first, "", f->words);
    for (size_t i = 0; i < f->n_fixes; i++)
        write_words(ww, first, f->fixes[i].verified ? "fix, proved: " : "fix: ", f->fixes[i].text);
    write_words(
        ww, first, "",
        tr_arena_printf(arena, "'tilerace explain %s' says more", rule_info_of(f->rule)->code));
}

static void write_undecided(warning_writer *ww)
{
    const kernel_report *k = ww->kernel;
    const char *why = k->reason.text ? k->reason.text : reason_name(k->reason.kind);
    report_message m = {.place = place_known(k->reason.place) ? k->reason.place : k->place,
                        .severity = REPORT_REMARK,
                        .text =
                            tr_arena_printf(ww->w.arena, "'%s' is not decided: %s", k->kernel, why),
                        .group = "-Rrace"};
    write_message(&ww->w, ww->input->file, &m, ww->tally);
}

/* The facts whose violation is a race stand below the races that show it. */
static void write_conditions(warning_writer *ww)
{
    const kernel_report *k = ww->kernel;
    for (size_t i = 0; i < k->n_requires; i++)
        if (k->requires_[i].what.class_ == PRECONDITION_CLASS_RACE)
            write_words(ww, k->place,
                        tr_arena_printf(ww->w.arena, "'%s' is race-free only if ", k->kernel),
                        k->requires_[i].brief);
}

void report_write_warnings(tr_text *out, const input_report *input, const kernel_report *kernel,
                           const report_grading *grading, const report_options *options,
                           report_tally *tally)
{
    warning_writer ww = {begin(out, options), input, kernel, grading, tally};
    for (size_t i = 0; i < kernel->n_findings; i++)
        write_finding(&ww, &kernel->findings[i]);
    if (kernel->verdict == VERDICT_CONDITIONAL && grading->other != REPORT_NO_MESSAGE)
        write_conditions(&ww);
    if (kernel->verdict == VERDICT_UNKNOWN && grading->other != REPORT_NO_MESSAGE)
        write_undecided(&ww);
    end(&ww.w);
}

void report_write_warning_of_comment(tr_text *out, const input_remark *remark,
                                     const report_options *options, report_tally *tally)
{
    const char *code = report_remark_info(remark->kind)->code;
    const input_report input = {.file = remark->place->file};
    warning_writer ww = {begin(out, options), &input, NULL, NULL, tally};
    const report_message m = {.place = remark->place,
                              .severity = REPORT_WARNING,
                              .text = remark->text,
                              .group = "-Wrace",
                              .rule = code};
    write_message(&ww.w, input.file, &m, tally);
    write_words(&ww, remark->place, "",
                tr_arena_printf(ww.w.arena, "'tilerace explain %s' says more", code));
    tally->of_comments++;
    end(&ww.w);
}

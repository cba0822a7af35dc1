#include "report/report_private.h"

#include <inttypes.h>
#include <string.h>

typedef struct format_row {
    const char *name, *about;
    void (*write)(writer *w);
} format_row;

static const format_row formats[] = {
#define FORMAT(id, name, writer, about) {name, about, writer},
#include "report/formats.def"
};

const report_absence report_undecided = {
    "TR900", "undecided-kernel", "the checker could neither prove nor refute that the kernel races",
    "Nothing is claimed about this kernel. The message says what stood in the way: an operation "
    "that is not modelled, an address that depends on data, a limit of steps. A contract that "
    "states more, a larger --steps, or simpler index arithmetic often decides it."};
const report_absence report_unchecked = {
    "TR901", "unchecked-input", "the file could not be checked",
    "Nothing is claimed about the kernels of this file: it could not be read or is not what it "
    "should be. The message says where and why."};

const report_absence *report_remark_info(remark_kind kind)
{
    static const report_absence infos[REMARK_KINDS] = {
        [REMARK_UNUSED] = {"TR902", "unused-suppression",
                           "a comment allows a finding that is not there",
                           "The race was corrected, or the comment stands in another line than "
                           "the finding. A comment that is left over would hide the next mistake "
                           "in this line: remove it.",
                           LEVEL_WARNING},
        [REMARK_WRONG] = {"TR903", "invalid-suppression",
                          "a comment is meant to allow a finding and does not",
                          "It has no reason, names no rule that there is, or is cut. It allows "
                          "nothing until it is written as 'tilerace: allow(TR001): REASON'.",
                          LEVEL_WARNING},
    };
    return &infos[kind];
}

const report_absence *report_absence_at(size_t i)
{
    return i == 0   ? &report_undecided
           : i == 1 ? &report_unchecked
                    : report_remark_info((remark_kind)(i - 2));
}

const char *report_format_name(report_format format)
{
    return formats[format].name;
}

const char *report_format_about(report_format format)
{
    return formats[format].about;
}

bool report_format_by_name(const char *name, report_format *format)
{
    for (size_t i = 0; i < TR_COUNT(formats); i++) {
        if (strcmp(formats[i].name, name) == 0) {
            *format = (report_format)i;
            return true;
        }
    }
    return false;
}

static writer writer_make(tr_text *out, const full_report *report, const report_options *options)
{
    return (writer){.out = out, .report = report, .options = options, .arena = tr_arena_new()};
}

static void writer_free(writer *w)
{
    sources_free(w);
    tr_arena_free(w->arena);
}

input_report *report_input(const full_report *report, size_t i)
{
    if (report->read)
        report->read(report->user, i);
    return &report->inputs[i];
}

void writer_next(writer *w)
{
    enum { PIECE = 1 << 16 };
    if (w->options->take && w->out->length >= PIECE)
        w->options->take(w->options->user, w->out);
    writer_forget(w);
}

void writer_forget(writer *w)
{
    if (!w->report->read)
        return; /* the same sources may serve the next one */
    sources_free(w);
    tr_arena_free(w->arena);
    w->sources = NULL;
    w->arena = tr_arena_new();
}

void report_write(tr_text *out, const full_report *report, report_format format,
                  const report_options *options)
{
    writer w = writer_make(out, report, options);
    formats[format].write(&w);
    writer_free(&w);
}

void report_write_kernel(tr_text *out, const input_report *input, const kernel_report *kernel,
                         bool verdict, const report_options *options)
{
    writer w = writer_make(out, NULL, options);
    write_kernel_text(&w, input, kernel, verdict);
    writer_free(&w);
}

void report_write_remarks(tr_text *out, const input_report *input, const report_options *options)
{
    writer w = writer_make(out, NULL, options);
    for (size_t i = 0; i < input->n_remarks; i++)
        write_remark(&w, input, &input->remarks[i]);
    writer_free(&w);
}

void report_write_error(tr_text *out, const char *file, const tr_error *error,
                        const report_options *options)
{
    writer w = writer_make(out, NULL, options);
    write_error(&w, file, error);
    writer_free(&w);
}

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

const char *report_level_name(rule_level level)
{
    static const char *const names[] = {
        [LEVEL_NOTE] = "note", [LEVEL_WARNING] = "warning", [LEVEL_ERROR] = "error"};
    return names[level];
}

const char *report_verdict_name(verdict_kind verdict)
{
    return verdict_info_of(verdict)->name;
}

bool place_known(const tr_place *place)
{
    return place && place->file && place->line > 0;
}

const char *place_words(tr_arena *arena, const tr_place *place)
{
    if (place->column == 0) /* of Julia's sources no columns are known */
        return tr_arena_printf(arena, "%s:%" PRIu32, place->file, place->line);
    return tr_arena_printf(arena, "%s:%" PRIu32 ":%" PRIu32, place->file, place->line,
                           place->column);
}

/* The place of a whole kernel stands for an op of which no place is known. */
static bool is_kernels_place(const kernel_report *kernel, const tr_place *place)
{
    const tr_place *own = kernel->place;
    return own && own->file && strcmp(place->file, own->file) == 0 && place->line == own->line &&
           place->column == own->column && place->end_line == own->end_line &&
           place->end_column == own->end_column;
}

const char *op_words(tr_arena *arena, const kernel_report *kernel, const finding_location *location)
{
    const tr_place *place = location->place;
    bool says_op = place && place->file && !is_kernels_place(kernel, place);
    if (says_op || !location->op_text)
        return NULL;
    return tr_arena_printf(arena, "at op %" PRIu32 " of '%s': %s", location->op_ordinal,
                           kernel->kernel, location->op_text);
}

const char *event_words(tr_arena *arena, const finding *f, const witness_event *event)
{
    int64_t base = f->witness && f->witness->from_one;
    const char *block =
        tr_arena_printf(arena, "tile block (%" PRId64 ", %" PRId64 ", %" PRId64 ")",
                        event->block[0] + base, event->block[1] + base, event->block[2] + base);
    if (event->n_iterations == 0)
        return block;
    const char *words =
        tr_arena_printf(arena, "%s, iteration %" PRId64, block, event->iterations[0] + base);
    for (size_t i = 1; i < event->n_iterations; i++)
        words = tr_arena_printf(arena, "%s, %" PRId64, words, event->iterations[i] + base);
    return words;
}

const witness_event *event_of_location(const finding *f, size_t i)
{
    return f->witness && i < f->witness->n_events ? &f->witness->events[i] : NULL;
}

const char *signature_heading(const kernel_report *kernel)
{
    return kernel->signature->n > 0 ? "compiled for:" : "compilation:";
}

const char *signature_words(tr_arena *arena, const kernel_report *kernel)
{
    const kernel_signature *s = kernel->signature;
    const char *words = "";
    if (!s || s->of < 2)
        return NULL;
    for (size_t i = 0; i < s->n; i++) {
        const char *quote = s->values[i].is_literal ? "" : "\"";
        words = tr_arena_printf(arena, "%s%s%s = %s%s%s", words, i ? ", " : "", s->values[i].name,
                                quote, s->values[i].text, quote);
    }
    return s->n > 0 ? words : tr_arena_printf(arena, "%zu of %zu", s->which, s->of);
}

const char *kernel_words(tr_arena *arena, const kernel_report *kernel)
{
    const char *words = signature_words(arena, kernel);
    return words ? tr_arena_printf(arena, "%s (%s)", kernel->kernel, words) : kernel->kernel;
}

const char *undecided_words(tr_arena *arena, const kernel_report *kernel)
{
    const char *words = signature_words(arena, kernel);
    return tr_arena_printf(arena, "'%s'%s%s%s is not decided: %s [%s]", kernel->kernel,
                           words ? " (" : "", words ? words : "", words ? ")" : "",
                           kernel->reason.text ? kernel->reason.text : "",
                           reason_name(kernel->reason.kind));
}

/* One that is hidden is below all that are not. */
static int weight(const finding *f)
{
    return f->hidden.by ? -1 : (int)f->level;
}

const char *hidden_prefix(tr_arena *arena, const finding *f)
{
    return f->hidden.by ? tr_arena_printf(arena, "%s: ", hidden_info_of(f->hidden.by)->words) : "";
}

const finding *worst_finding(const kernel_report *kernel)
{
    const finding *worst = NULL;
    for (size_t i = 0; i < kernel->n_findings; i++)
        if (!worst || weight(&kernel->findings[i]) > weight(worst))
            worst = &kernel->findings[i];
    return worst;
}

/* "race-free only if A; B", for the preconditions of a class; "" where there is none. */
static const char *required_words(writer *w, const kernel_report *kernel, precondition_class class_)
{
    const char *all = "";
    for (size_t i = 0; i < kernel->n_requires; i++)
        if (kernel->requires_[i].what.class_ == class_)
            all = tr_arena_printf(w->arena, "%s%s%s", all, *all ? "; " : "",
                                  kernel->requires_[i].brief);
    if (!*all)
        return "";
    const char *heading = class_ == PRECONDITION_CLASS_RACE ? "race-free only if" : "requires";
    return tr_arena_printf(w->arena, "%s %s", heading, all);
}

const char *gist_of(writer *w, const kernel_report *kernel)
{
    const finding *worst = worst_finding(kernel);
    if (kernel->verdict == VERDICT_UNKNOWN && (!worst || worst->level != LEVEL_ERROR))
        return undecided_words(w->arena, kernel);
    if (!worst)
        return required_words(w, kernel,
                              kernel->verdict == VERDICT_CONDITIONAL ? PRECONDITION_CLASS_RACE
                                                                     : PRECONDITION_CLASS_LAUNCH);
    const char *more = kernel->n_findings == 1
                           ? ""
                           : tr_arena_printf(w->arena, ", and %zu more", kernel->n_findings - 1);
    return tr_arena_printf(w->arena, "%s%s%s [%s]%s", hidden_prefix(w->arena, worst),
                           worst->confidence == CONFIDENCE_POSSIBLE ? "possible: " : "",
                           worst->message, rule_info_of(worst->rule)->code, more);
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

const char *file_from_folder(const writer *w, const char *file)
{
    const char *folder = w->options ? w->options->folder : NULL;
    size_t length = folder ? strlen(folder) : 0;
    if (length > 0 && strncmp(file, folder, length) == 0 && file[length] == '/')
        file += length + 1;
    while (strncmp(file, "./", 2) == 0)
        file += 2;
    return file;
}

const char *input_error_text(tr_arena *arena, const input_report *input)
{
    const char *all = "";
    for (size_t i = 0; i < input->n_errors; i++) {
        const tr_error *e = &input->errors[i];
        const char *file = e->place.file ? e->place.file : input->file;
        const char *one = e->place.line == 0
                              ? tr_arena_printf(arena, "%s: %s", file, e->text)
                              : tr_arena_printf(arena, "%s:%" PRIu32 ":%" PRIu32 ": %s", file,
                                                e->place.line, e->place.column, e->text);
        all = i == 0 ? one : tr_arena_printf(arena, "%s\n%s", all, one);
    }
    return all;
}

const char *remark_words(writer *w, const input_remark *remark)
{
    const report_absence *info = report_remark_info(remark->kind);
    return tr_arena_printf(w->arena, "%s: %s: %s [%s]", place_words(w->arena, remark->place),
                           report_level_name(info->level), remark->text, info->code);
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

const report_failing *failing_of(const writer *w, const input_report *input)
{
    return input->failing ? input->failing : &w->options->failing;
}

bool report_is_lowered(const finding *f)
{
    return f->set_level && f->was > f->level;
}

const char *level_heading(const finding *f)
{
    return report_is_lowered(f) ? "lowered:" : "raised:";
}

const char *level_words(tr_arena *arena, const finding *f)
{
    return tr_arena_printf(arena, "from %s, by %s:%" PRIu32, report_level_name(f->was),
                           f->set_level->file, f->set_level->line);
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

void report_write_totals(tr_text *out, const report_totals *totals)
{
    tr_arena *arena = tr_arena_new();
    tr_text_addf(out, "%s\n", totals_words(arena, totals));
    tr_arena_free(arena);
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

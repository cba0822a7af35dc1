/* Words for what findings, kernels and inputs say, which several formats share. */
#include "report/report_private.h"

#include <inttypes.h>
#include <string.h>

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

/* A hidden finding weighs less than all that are not hidden. */
static int weight(const finding *f)
{
    return f->hidden.by ? -1 : (int)f->level;
}

const char *report_hidden_prefix(tr_arena *arena, const finding *f)
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
    return tr_arena_printf(w->arena, "%s%s%s [%s]%s", report_hidden_prefix(w->arena, worst),
                           worst->confidence == CONFIDENCE_POSSIBLE ? "possible: " : "",
                           worst->message, rule_info_of(worst->rule)->code, more);
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

const report_failing *failing_of(const writer *w, const input_report *input)
{
    return input->failing ? input->failing : &w->options->failing;
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

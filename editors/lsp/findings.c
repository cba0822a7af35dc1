/* Findings as diagnostics and actions. */
#include <cjson/cJSON.h>
#include <string.h>

#include "lsp/allow.h"
#include "lsp/inspecting.h"
#include "lsp/uri.h"

enum { TAG_UNNECESSARY = 1 };

/* ---- Section: Diagnostics ---- */

static cJSON *diagnostic(lsp_range range, lsp_severity severity, const char *code,
                         const char *message)
{
    cJSON *d = lsp_json_with(lsp_json_object(), "range", lsp_json_range(range));
    lsp_json_with_number(d, "severity", severity);
    lsp_json_with_text(d, "source", "tilerace");
    if (code) {
        tr_arena *arena = tr_arena_new();
        lsp_json_with_text(d, "code", code);
        if (strncmp(code, "TR", 2) == 0)
            lsp_json_with(d, "codeDescription",
                          lsp_json_with_text(lsp_json_object(), "href",
                                             tr_arena_printf(arena, REPORT_PAGES "%s.md", code)));
        tr_arena_free(arena);
    }
    return lsp_json_with_text(d, "message", message);
}

/* A finding that another launch of a kernel has as well says nothing new. */
static bool is_there(const inspecting *in, const cJSON *d)
{
    const cJSON *other;
    cJSON_ArrayForEach(other, in->diagnostics) if (cJSON_Compare(other, d, true)) return true;
    return false;
}

/* Adds a diagnostic and returns its number; -1: it was there already. */
static int add(inspecting *in, tr_take cJSON *d)
{
    if (is_there(in, d)) {
        cJSON_Delete(d);
        return -1;
    }
    lsp_json_append(in->diagnostics, d);
    return cJSON_GetArraySize(in->diagnostics) - 1;
}

void findings_add_note(inspecting *in, lsp_severity severity, const char *code, const char *text)
{
    const tr_place first = {.file = in->task->path, .line = 1};
    add(in, diagnostic(places_range(in, &first), severity, code, text));
}

/* ---- Section: Where ---- */

/* The place in the document where something that lies elsewhere is shown. */
static tr_place stand_in(inspecting *in, const tr_place *elsewhere)
{
    bool known = elsewhere && elsewhere->file && elsewhere->line > 0;
    return (tr_place){.file = in->task->path,
                      .line = known ? places_including(in, elsewhere->file) : 1};
}

static tr_place shown_at(inspecting *in, const tr_place *place)
{
    const tr_place *here = places_in_document(in, place);
    return here ? *here : stand_in(in, place);
}

static const char *absolute(inspecting *in, const char *file)
{
    if (places_is_document(in, file))
        return in->task->path;
    if (file[0] == '/' || !in->s->working_folder)
        return file;
    return tr_arena_printf(in->arena, "%s/%s", in->s->working_folder, file);
}

static void relate(inspecting *in, cJSON **related, const tr_place *place, const char *message)
{
    if (!place || !place->file || place->line == 0)
        return;
    const char *uri = lsp_path_uri(in->arena, absolute(in, place->file));
    cJSON *location = lsp_json_with_text(lsp_json_object(), "uri", uri);
    lsp_json_with(location, "range", lsp_json_range(places_range(in, place)));
    cJSON *one = lsp_json_with(lsp_json_object(), "location", location);
    *related = *related ? *related : lsp_json_array();
    lsp_json_append(*related, lsp_json_with_text(one, "message", message));
}

/* A place that is inlined, call by call. */
static void relate_calls(inspecting *in, cJSON **related, const tr_place *place)
{
    for (; place; place = place->inlined_at)
        relate(in, related, place->inlined_at, "called here");
}

static void with_related(cJSON *d, cJSON *related)
{
    if (related)
        lsp_json_with(d, "relatedInformation", related);
}

/* ---- Section: Actions ---- */

static cJSON *action(inspecting *in, int diagnostic_number, const char *title, lsp_range range,
                     const char *text)
{
    cJSON *one = lsp_json_with_number(lsp_json_object(), "diagnostic", diagnostic_number);
    lsp_json_with_text(one, "title", title);
    lsp_json_with(one, "range", lsp_json_range(range));
    lsp_json_append(in->actions, lsp_json_with_text(one, "text", text));
    return one;
}

static void add_allowing(inspecting *in, int number, const finding *f, const tr_place *at)
{
    size_t length = 0;
    const char *code = rule_info_of(f->rule)->code;
    const char *line = places_line(in, at->line, &length);
    const char *before = at->line > 1 ? places_line(in, at->line - 1, &length) : NULL;
    size_t before_length = before ? length : 0;
    if (!line || !(line = places_line(in, at->line, &length)))
        return;
    const char *text =
        allow_comment(in->arena, in->task->path, tr_arena_strndup(in->arena, line, length),
                      before ? tr_arena_strndup(in->arena, before, before_length) : "", code);
    if (!text)
        return;
    const read_text *whole = places_text(in, in->task->path);
    if (memmem(whole->text, whole->length, "\r\n", 2))
        text = tr_arena_printf(in->arena, "%.*s\r\n", (int)strcspn(text, "\n"), text);
    lsp_position start = {at->line - 1, 0};
    action(in, number,
           tr_arena_printf(in->arena, "Allow %s here, for a reason to be written", code),
           (lsp_range){start, start}, text);
}

static void add_fixes(inspecting *in, int number, const finding *f)
{
    for (size_t i = 0; i < f->n_fixes; i++) {
        const finding_fix *fix = &f->fixes[i];
        if (fix->replace.line == 0 || !fix->with || !places_is_document(in, fix->replace.file))
            continue;
        cJSON *one = action(in, number, fix->text, places_range(in, &fix->replace), fix->with);
        lsp_json_with_bool(one, "preferred", fix->verified);
    }
}

/* ---- Section: Findings ---- */

static lsp_severity severity_of(const finding *f)
{
    static const lsp_severity levels[] = {
        [LEVEL_NOTE] = LSP_INFORMATION, [LEVEL_WARNING] = LSP_WARNING, [LEVEL_ERROR] = LSP_ERROR};
    return f->hidden.by ? LSP_HINT : levels[f->level];
}

static const char *words_of(inspecting *in, const finding *f)
{
    tr_text text = {0};
    if (f->hidden.by)
        tr_text_addf(&text, "%s %s\n", hidden_info_of(f->hidden.by)->heading, f->hidden.reason);
    tr_text_addf(&text, "%s%s", f->confidence == CONFIDENCE_POSSIBLE ? "possible: " : "",
                 f->message);
    if (f->words && f->words[0])
        tr_text_addf(&text, "\n%s", f->words);
    for (size_t i = 0; i < f->n_fixes; i++)
        tr_text_addf(&text, "\n%s %s",
                     f->fixes[i].verified ? "fix, proved:" : "fix:", f->fixes[i].text);
    const char *kept = tr_arena_strdup(in->arena, tr_text_get(&text));
    tr_text_free(&text);
    return kept;
}

static void add_finding(inspecting *in, const kernel_report *kernel, const finding *f)
{
    if (f->hidden.by > HIDDEN_BY_COMMENT)
        return; /* by the configuration: the hover of the kernel counts it */
    const tr_place *first = f->n_locations > 0 ? f->locations[0].place : kernel->place;
    tr_place at = shown_at(in, first);
    cJSON *related = NULL;
    cJSON *d = diagnostic(places_range(in, &at), severity_of(f), rule_info_of(f->rule)->code,
                          words_of(in, f));
    if (first && !places_is_document(in, first->file))
        relate(in, &related, first, report_location_words(in->arena, f, 0));
    relate_calls(in, &related, first);
    for (size_t i = 1; i < f->n_locations; i++) {
        relate(in, &related, f->locations[i].place, report_location_words(in->arena, f, i));
        relate_calls(in, &related, f->locations[i].place);
    }
    with_related(d, related);
    int number = add(in, d);
    if (number < 0 || f->hidden.by)
        return;
    add_fixes(in, number, f);
    if (places_in_document(in, first))
        add_allowing(in, number, f, &at);
}

static bool counts(const kernel_report *kernel)
{
    for (size_t i = 0; i < kernel->n_findings; i++)
        if (kernel->findings[i].level >= LEVEL_WARNING || kernel->findings[i].hidden.by)
            return true;
    return false;
}

/* A conditional verdict is a warning even where no launch that breaks it could be shown. */
static void add_verdict(inspecting *in, const kernel_report *kernel)
{
    if (kernel->verdict == VERDICT_UNKNOWN) {
        bool has_own = kernel->reason.place && kernel->reason.place->line > 0;
        tr_place at = shown_at(in, has_own ? kernel->reason.place : kernel->place);
        add(in, diagnostic(places_range(in, &at), LSP_INFORMATION, report_undecided.code,
                           report_undecided_words(in->arena, kernel)));
    } else if (kernel->verdict == VERDICT_CONDITIONAL && !counts(kernel)) {
        tr_place at = shown_at(in, kernel->place);
        add(in, diagnostic(places_range(in, &at), LSP_WARNING, NULL,
                           tr_arena_printf(in->arena, "'%s': %s", kernel->kernel,
                                           verdict_info_of(kernel->verdict)->summary)));
    }
}

/* ---- Section: Errors ---- */

static const dialect_message *message_of(const dialect_record *record, const tr_error *error)
{
    for (size_t i = 0; record && i < record->n_messages; i++) {
        const dialect_message *m = &record->messages[i];
        if (m->place.line == error->place.line && m->place.column == error->place.column &&
            strcmp(m->text, error->text) == 0)
            return m;
    }
    return NULL;
}

/* Clang says what to put in at one place of the message's line. */
static void add_clang_fixes(inspecting *in, int number, const dialect_message *m)
{
    for (size_t i = 0; number >= 0 && i < m->n_marks; i++) {
        const dialect_mark *mark = &m->marks[i];
        const read_text *text = places_text(in, in->task->path);
        if (!mark->text || !places_is_document(in, m->place.file) || !text->text)
            continue;
        lsp_range range = {lsp_position_at(text->text, text->length, in->task->encoding,
                                           m->place.line, mark->column),
                           lsp_position_at(text->text, text->length, in->task->encoding,
                                           m->place.line, mark->end_column)};
        const char *title =
            mark->text[0] ? tr_arena_printf(in->arena, "Write '%s'", mark->text) : "Remove this";
        lsp_json_with_bool(action(in, number, title, range, mark->text), "preferred", true);
    }
}

static void add_error(inspecting *in, const tr_error *error, const dialect_record *record)
{
    const tr_place *place = &error->place;
    tr_place at = shown_at(in, place);
    const dialect_message *m = message_of(record, error);
    const char *text =
        error->hint ? tr_arena_printf(in->arena, "%s\n%s", error->text, error->hint) : error->text;
    if (place->line > 0 && !places_is_document(in, place->file))
        text = tr_arena_printf(in->arena, "in a file that is included: %s", text);
    cJSON *related = NULL, *d = diagnostic(places_range(in, &at), LSP_ERROR, NULL, text);
    if (place->line > 0 && !places_is_document(in, place->file))
        relate(in, &related, place, error->text);
    for (size_t i = 0; m && i < m->n_notes; i++)
        relate(in, &related, &m->notes[i].place, m->notes[i].text);
    with_related(d, related);
    int number = add(in, d);
    if (m)
        add_clang_fixes(in, number, m);
}

/* Adds a remark on a comment that allows nothing. */
static void add_remark(inspecting *in, const input_remark *remark)
{
    tr_place at = shown_at(in, remark->place);
    cJSON *d = diagnostic(places_range(in, &at), LSP_WARNING,
                          report_remark_info(remark->kind)->code, remark->text);
    if (remark->kind == REMARK_UNUSED) { /* editors fade it out */
        cJSON *tags = lsp_json_array();
        lsp_json_append(tags, cJSON_CreateNumber(TAG_UNNECESSARY));
        lsp_json_with(d, "tags", tags);
    }
    add(in, d);
}

void findings_add_input(inspecting *in, const input_report *report, const dialect_record *record)
{
    for (size_t i = 0; i < report->n_errors; i++)
        add_error(in, &report->errors[i], record);
    for (size_t k = 0; k < report->n_kernels; k++) {
        for (size_t f = 0; f < report->kernels[k].n_findings; f++)
            add_finding(in, &report->kernels[k], &report->kernels[k].findings[f]);
        add_verdict(in, &report->kernels[k]);
    }
    for (size_t i = 0; i < report->n_remarks; i++)
        add_remark(in, &report->remarks[i]);
}

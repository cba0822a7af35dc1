#include "lsp/inspect.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "base/ds.h"
#include "checking/hide.h"
#include "inputs/load.h"
#include "lsp/inspecting.h"
#include "settings/configs.h"
#include "settings/settings.h"

static void tell(inspect_tell *how, void *user, tr_take cJSON *value)
{
    char *line = lsp_json_print(value);
    how(user, line);
    cJSON_free(line);
    cJSON_Delete(value);
}

/* ---- Section: Sources ---- */

/* Files that were read, as the client calls those that it has open. */
static cJSON *files_of(const inspecting *in, const dialect_record *record, const tr_errors *errors)
{
    if (tr_errors_count(errors) > 0)
        return cJSON_CreateNull(); /* what is not found may be there next time */
    cJSON *files = lsp_json_array();
    for (size_t i = 0; i < record->n_files; i++) {
        const char *name = record->files[i].name;
        const tr_unsaved_file *open = tr_unsaved_find(&in->task->unsaved, name);
        lsp_json_append(files, cJSON_CreateString(open ? open->path : name));
    }
    return files;
}

/* A source without a kernel, say a header with helpers, is as good as any. */
static bool has_no_kernel(const loaded *input, const dialect_record *record)
{
    return tr_errors_count(&input->errors) == 1 && input->errors.items[0].place.line == 0 &&
           record->n_files > 0 && !record->has_kernels;
}

static void check_kernels(session *own, loaded *input, input_report *report)
{
    report->kernels = TR_NEW_ARRAY(input->arena, kernel_report, arrlenu(input->kernels) + 1);
    for (size_t i = 0; i < arrlenu(input->kernels); i++)
        report->kernels[report->n_kernels++] =
            *load_check(own, input, &input->kernels[i], &own->rules);
}

static cJSON *findings_told(inspecting *in, tr_take cJSON *files)
{
    cJSON *told = lsp_json_with_text(lsp_json_object(), "kind", "findings");
    lsp_json_with(told, "diagnostics", in->diagnostics);
    lsp_json_with(told, "actions", in->actions);
    return lsp_json_with(told, "files", files);
}

static cJSON *hovers_told(inspecting *in)
{
    return lsp_json_with(lsp_json_with_text(lsp_json_object(), "kind", "hovers"), "items",
                         in->hovers);
}

static void inspect_source(inspecting *in, session *own, inspect_tell *how, void *user)
{
    dialect_record record = {0};
    loaded input;
    own->record = &record;
    load_input(own, in->task->path, 0, &input);
    input_report report = {.file = in->task->path};
    if (!has_no_kernel(&input, &record)) {
        report.errors = input.errors.items;
        report.n_errors = tr_errors_count(&input.errors);
    }
    if (tr_errors_count(&input.errors) == 0)
        check_kernels(own, &input, &report);
    report_mark_allowed(input.arena, own->unsaved, &report);
    hide_findings(input.arena, in->settings, &report);
    hide_remarks(input.arena, in->settings, &report);
    findings_add_input(in, &report, &record);
    tell(how, user, findings_told(in, files_of(in, &record, &input.errors)));
    for (size_t i = 0; i < report.n_kernels; i++)
        hovers_add(in, &input, &input.kernels[i], &report.kernels[i]);
    tell(how, user, hovers_told(in));
    dialect_record_free(&record);
    load_free(&input);
}

/* ---- Section: Any document ---- */

/* Does what `check` would do by the configuration of the document. False: it is wrong, and nothing
 * that it holds for is checked, as it might have asked for more. */
static bool configure(inspecting *in, session *own)
{
    const char *why = NULL;
    own->configs = configs_open(in->arena, own->options, own->working_folder, &why);
    if (!own->configs) {
        findings_add_note(in, LSP_WARNING, report_unchecked.code,
                          tr_arena_printf(in->arena, "this document is not checked: %s", why));
        return false;
    }
    const settings *st = in->settings = configs_for(own->configs, in->task->path);
    for (size_t i = 0; i < arrlenu(st->wrong.items); i++) {
        const tr_error *e = &st->wrong.items[i];
        findings_add_note(in, LSP_WARNING, report_unchecked.code,
                          tr_arena_printf(in->arena, "this document is not checked: %s:%u: %s",
                                          e->place.file ? e->place.file : st->file,
                                          (unsigned)e->place.line, e->text));
    }
    own->rules.strict = st->of[SETTING_strict].truth;
    own->rules.notes = settings_ask_for_notes(st);
    own->rules.steps = (smt_steps)st->of[SETTING_steps].number;
    return arrlenu(st->wrong.items) == 0;
}

static void tell_all(inspecting *in, inspect_tell *how, void *user)
{
    tell(how, user, findings_told(in, cJSON_CreateNull()));
    tell(how, user, hovers_told(in));
}

void inspect_document(const session *s, const lsp_task *task, inspect_tell *how, void *user)
{
    inspecting in = {.arena = tr_arena_new(),
                     .s = s,
                     .task = task,
                     .diagnostics = lsp_json_array(),
                     .actions = lsp_json_array(),
                     .hovers = lsp_json_array()};
    driver_options options = *s->options;
    session own = *s;
    options.command = COMMAND_CHECK; /* what is read and asked for is what `check` does */
    own.options = &options;
    own.unsaved = &task->unsaved;
    if (!configure(&in, &own)) {
        tell_all(&in, how, user);
    } else if (task->kind == LSP_SOURCE) {
        inspect_source(&in, &own, how, user);
    } else {
        inspect_recorded(&in, &own);
        tell_all(&in, how, user);
    }
    configs_close(own.configs);
    arrfree(in.texts);
    tr_arena_free(in.arena);
}

/* Sources of other languages: what the last recording of a program has of their kernels. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ds.h"
#include "checking/hide.h"
#include "inputs/load.h"
#include "lsp/inspecting.h"
#include "lsp/uri.h"

#define RECORDING ".tilerace"

/* ---- Section: Which recording ---- */

/* The folder of the workspace that holds the file, the outermost; NULL: none does. */
static const char *root_of(const lsp_task *task)
{
    const char *root = NULL;
    for (size_t i = 0; i < task->n_roots; i++)
        if (lsp_lies_in(task->path, task->roots[i]) &&
            (!root || strlen(task->roots[i]) < strlen(root)))
            root = task->roots[i];
    return root;
}

static bool has(tr_arena *arena, const char *folder, const char *name)
{
    return access(tr_arena_printf(arena, "%s/%s", folder, name), F_OK) == 0;
}

/* Is this the last folder that is looked into? Above a workspace or a repository are other people's
 * files. A file that is in neither has its own folder. */
static bool is_last(tr_arena *arena, const char *root, const char *folder)
{
    if (root)
        return strcmp(folder, root) == 0 || !lsp_lies_in(folder, root);
    for (const char *above = folder; strcmp(above, "/") != 0; above = tr_folder_of(arena, above))
        if (has(arena, above, ".git"))
            return strcmp(above, folder) == 0;
    return true;
}

/* The recording that a file belongs to: the nearest upwards, within the folder of the workspace
 * that holds the file, else within its repository. NULL: there is none. */
static const char *recording_of(tr_arena *arena, const lsp_task *task)
{
    const char *root = root_of(task), *folder = tr_folder_of(arena, task->path);
    for (;; folder = tr_folder_of(arena, folder)) {
        const char *recorded_in = tr_arena_printf(arena, "%s/" RECORDING, folder);
        if (recording_is(recorded_in))
            return recorded_in;
        if (is_last(arena, root, folder) || strcmp(folder, "/") == 0)
            return NULL;
    }
}

static void add_change(tr_text *out, const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0)
        tr_text_addf(out, " %lld.%09ld %llu", (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec,
                     (unsigned long long)info.st_ino);
    else
        tr_text_add(out, " -");
}

const char *inspect_stamp(tr_arena *arena, const lsp_task *task)
{
    static const char *const parts[] = {"index.json", "modules", "launches"};
    const char *recorded_in = recording_of(arena, task);
    tr_text stamp = {0};
    tr_text_add(&stamp, recorded_in ? recorded_in : "none");
    add_change(&stamp, task->path);
    for (size_t i = 0; recorded_in && i < TR_COUNT(parts); i++)
        add_change(&stamp, tr_arena_printf(arena, "%s/%s", recorded_in, parts[i]));
    const char *kept = tr_arena_strdup(arena, tr_text_get(&stamp));
    tr_text_free(&stamp);
    return kept;
}

/* ---- Section: What it has ---- */

static void tell_errors(inspecting *in, const char *recorded_in, const tr_errors *errors)
{
    for (size_t i = 0; i < tr_errors_count(errors) && i < arrlenu(errors->items); i++) {
        const tr_error *e = &errors->items[i];
        const char *file = e->place.file ? e->place.file : recorded_in;
        findings_add_note(in, LSP_WARNING, report_unchecked.code,
                          tr_arena_printf(in->arena, "%s: %s", file, e->text));
    }
}

static void check_module(inspecting *in, session *own, size_t which)
{
    loaded input;
    load_file(own, which, &input);
    input_report report = {.file = own->files[which],
                           .errors = input.errors.items,
                           .n_errors = tr_errors_count(&input.errors)};
    report.kernels = TR_NEW_ARRAY(input.arena, kernel_report, arrlenu(input.kernels) + 1);
    for (size_t i = 0; report.n_errors == 0 && i < arrlenu(input.kernels); i++)
        report.kernels[report.n_kernels++] =
            *load_check(own, &input, &input.kernels[i], &own->rules);
    report_mark_allowed(input.arena, NULL, &report);
    hide_findings(input.arena, in->settings, &report);
    hide_remarks(input.arena, in->settings, &report);
    findings_add_input(in, &report, NULL);
    for (size_t i = 0; i < report.n_kernels; i++)
        hovers_add(in, &input, &input.kernels[i], &report.kernels[i]);
    load_free(&input);
}

static void check_modules(inspecting *in, session *own, const recorded_folder *folder,
                          const char *recorded_in)
{
    size_t n_of = 0;
    own->files = TR_NEW_ARRAY(in->arena, const char *, folder->n + 1);
    own->recorded = TR_NEW_ARRAY(in->arena, const recorded_module *, folder->n + 1);
    own->n_files = 0;
    for (size_t i = 0; i < folder->n; i++) {
        const recorded_module *m = &folder->modules[i];
        if (!recording_is_of(in->arena, m, in->task->path))
            continue;
        n_of++;
        if (recording_has_changed(in->arena, m, in->task->path))
            continue;
        own->files[own->n_files] = m->path;
        own->recorded[own->n_files++] = m;
    }
    if (n_of > 0 && own->n_files == 0)
        findings_add_note(
            in, LSP_INFORMATION, report_unchecked.code,
            tr_arena_printf(in->arena,
                            "this file has changed since it was recorded in %s, so what is known "
                            "of it is not shown: run the program again under 'tilerace exec'",
                            recorded_in));
    for (size_t i = 0; i < own->n_files; i++)
        check_module(in, own, i);
}

void inspect_recorded(inspecting *in, session *own)
{
    const char *recorded_in = recording_of(in->arena, in->task);
    if (!recorded_in)
        return;
    /* Names in a recording begin where its program ran. */
    const char *folder = tr_folder_of(in->arena, recorded_in);
    if (chdir(folder) == 0)
        own->working_folder = folder;
    tr_errors errors = tr_errors_make(in->arena);
    const recorded_folder *r = recording_read(in->arena, recorded_in, &errors);
    tell_errors(in, recorded_in, &errors);
    if (r)
        check_modules(in, own, r, recorded_in);
    tr_errors_free(&errors);
}

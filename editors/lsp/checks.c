/* When documents are checked, and what comes of it. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "lsp/server.h"

bool checks_pending(const document *d)
{
    return d->check != 0 || d->due != INT64_MAX;
}

/* ---- Section: What is due ---- */

void checks_stop(lsp_server *s, document *d)
{
    if (d->check == 0)
        return;
    s->checks->stop(s->checks->user, d->check);
    d->check = 0;
    s->n_running--;
}

void checks_touch(lsp_server *s, document *d, int64_t due)
{
    if (d->kind == LSP_OTHER)
        return;
    /* An edit makes a check of the text before it worthless. A recording may change many times a
     * second while a program runs: the check that runs is then finished first. */
    if (d->kind == LSP_SOURCE)
        checks_stop(s, d);
    d->due = due;
}

static bool uses(const document *d, const char *path)
{
    const cJSON *file;
    const cJSON *files = lsp_json_at(d->found, "files");
    if (!cJSON_IsArray(files) || !path)
        return true; /* not known: it may */
    cJSON_ArrayForEach(file, files) if (cJSON_IsString(file) &&
                                        strcmp(file->valuestring, path) == 0) return true;
    return false;
}

void checks_touch_users(lsp_server *s, const char *path, int64_t due)
{
    for (size_t i = 0; i < arrlenu(s->documents); i++) {
        document *d = s->documents[i];
        bool is_itself = path && d->path && strcmp(d->path, path) == 0;
        bool takes = d->kind == LSP_SOURCE || (d->kind == LSP_RECORDED && !path);
        if (takes && !is_itself && uses(d, path))
            checks_touch(s, d, due);
    }
}

int64_t lsp_server_due(const lsp_server *s)
{
    int64_t due = s->looks_again;
    for (size_t i = 0; i < arrlenu(s->documents); i++) {
        const document *d = s->documents[i];
        if (d->check == 0 && s->n_running < s->at_once && d->due < due)
            due = d->due;
    }
    return due;
}

/* ---- Section: Starting ---- */

/* A source without one of these words has no kernel; other C sources are no business of ours. */
static bool may_have_kernels(const document *d)
{
    const char *text = tr_text_get(&d->text);
    return strstr(text, "tile.h") || strstr(text, "tile_kernel");
}

/* Allocates an array for task_of to fill; the caller frees it. */
static tr_give tr_unsaved_file *room_for_files(const lsp_server *s)
{
    return tr_allocate((arrlenu(s->documents) + 1) * sizeof(tr_unsaved_file));
}

static void add_unsaved(tr_unsaved *to, tr_unsaved_file *files, const document *d)
{
    for (size_t i = 0; i < to->n; i++)
        if (strcmp(files[i].path, d->path) == 0)
            return;
    files[to->n++] = (tr_unsaved_file){d->path, tr_text_get(&d->text), d->text.length};
}

/* Is the other document the same file, by another URI or by a link? */
static bool is_same_file(const document *d, const document *other)
{
    const tr_unsaved_file file = {.path = d->path};
    const tr_unsaved one = {1, &file};
    return d->kind == LSP_SOURCE && tr_unsaved_find(&one, other->path) != NULL;
}

/* The task for a document. If several documents are one file by different URIs, one stands for all:
 * the one that is checked, else the one that was changed last. */
static lsp_task task_of(const lsp_server *s, const document *d, tr_unsaved_file *files)
{
    lsp_task task = {.kind = d->kind,
                     .path = d->path,
                     .encoding = s->encoding,
                     .n_roots = arrlenu(s->roots),
                     .roots = (const char *const *)s->roots};
    if (d->kind == LSP_SOURCE && !d->lost)
        add_unsaved(&task.unsaved, files, d);
    for (size_t i = arrlenu(s->documents); i-- > 0;) {
        const document *other = s->documents[i];
        if (other != d && other->kind == LSP_SOURCE && !other->lost && !is_same_file(d, other))
            add_unsaved(&task.unsaved, files, other);
    }
    task.unsaved.files = files;
    return task;
}

static void forget_found(document *d)
{
    cJSON_Delete(d->found);
    cJSON_Delete(d->hovers);
    d->found = d->hovers = NULL;
}

void checks_publish(lsp_server *s, const document *d, const cJSON *diagnostics)
{
    cJSON *params = lsp_json_with_text(lsp_json_object(), "uri", d->uri);
    if (d->kind != LSP_RECORDED || !d->is_dirty) /* else it is of the file, which has no version */
        lsp_json_with_number(params, "version", d->checked);
    lsp_server_notify(s, "textDocument/publishDiagnostics",
                      lsp_json_with(params, "diagnostics",
                                    cJSON_IsArray(diagnostics) ? cJSON_Duplicate(diagnostics, true)
                                                               : lsp_json_array()));
}

/* A document that could have been checked and was not says so where its reader looks. */
static void publish_unchecked(lsp_server *s, document *d, const char *why)
{
    enum { WARNING = 2 };
    tr_text text = {0};
    tr_text_addf(&text, "this document is not checked: %s", why);
    cJSON *one = lsp_json_with(lsp_json_object(), "range", lsp_json_range((lsp_range){0}));
    lsp_json_with_number(one, "severity", WARNING);
    lsp_json_with_text(one, "source", "tilerace");
    lsp_json_with_text(one, "code", "TR901");
    lsp_json_with_text(one, "message", tr_text_get(&text));
    cJSON *all = lsp_json_array();
    lsp_json_append(all, one);
    forget_found(d);
    checks_publish(s, d, all);
    cJSON_Delete(all);
    lsp_server_log(s, "%s: %s", d->uri, tr_text_get(&text));
    if (!d->has_failed)
        lsp_server_show(s, SHOW_WARNING, tr_text_get(&text));
    d->has_failed = true;
    tr_text_free(&text);
}

static void start(lsp_server *s, document *d)
{
    const char *why = NULL;
    d->due = INT64_MAX;
    d->checked = d->version;
    if (d->lost) {
        publish_unchecked(s, d, d->lost);
        answers_give(s, d);
        return;
    }
    if (d->kind == LSP_SOURCE && !may_have_kernels(d)) {
        forget_found(d);
        checks_publish(s, d, NULL);
        answers_give(s, d);
        return;
    }
    tr_unsaved_file *files = room_for_files(s);
    lsp_task task = task_of(s, d, files);
    if (d->kind == LSP_RECORDED) {
        free(d->stamp);
        d->stamp = s->checks->stamp(s->checks->user, &task);
    }
    d->check = ++s->last_number;
    d->was_told = false;
    s->n_running++;
    if (!s->checks->start(s->checks->user, d->check, &task, &why)) {
        d->check = 0;
        s->n_running--;
        publish_unchecked(s, d, why);
        answers_give(s, d);
    }
    free(files);
}

/* Returns the document that was touched last, which is the one that its author looks at. */
static document *next_due(const lsp_server *s)
{
    document *best = NULL;
    for (size_t i = 0; i < arrlenu(s->documents); i++) {
        document *d = s->documents[i];
        if (d->check == 0 && d->due <= s->now && (!best || d->due > best->due))
            best = d;
    }
    return best;
}

static void look_at_recordings(lsp_server *s)
{
    bool any = false;
    for (size_t i = 0; i < arrlenu(s->documents); i++) {
        document *d = s->documents[i];
        if (d->kind != LSP_RECORDED)
            continue;
        any = true;
        if (checks_pending(d) || d->lost || s->looks_again > s->now)
            continue;
        tr_unsaved_file *files = room_for_files(s);
        lsp_task task = task_of(s, d, files);
        char *stamp = s->checks->stamp(s->checks->user, &task);
        free(files);
        if (!stamp != !d->stamp || (stamp && strcmp(stamp, d->stamp) != 0))
            checks_touch(s, d, s->now);
        free(stamp);
    }
    if (!any)
        s->looks_again = INT64_MAX;
    else if (s->looks_again == INT64_MAX || s->looks_again <= s->now)
        s->looks_again = s->now + LSP_LOOK_AGAIN_MS;
}

void lsp_server_run(lsp_server *s, int64_t now)
{
    s->now = now;
    if (s->state != READY)
        return;
    look_at_recordings(s);
    document *d;
    while (s->n_running < s->at_once && (d = next_due(s)))
        start(s, d);
}

/* ---- Section: What checks tell ---- */

static document *checked_by(const lsp_server *s, uint64_t number)
{
    for (size_t i = 0; i < arrlenu(s->documents); i++)
        if (s->documents[i]->check == number)
            return s->documents[i];
    return NULL;
}

void lsp_server_told(lsp_server *s, uint64_t number, const char *line, size_t length)
{
    document *d = checked_by(s, number);
    cJSON *told = d ? cJSON_ParseWithLength(line, length) : NULL;
    const char *kind = lsp_json_text_at(told, "kind");
    if (kind && strcmp(kind, "findings") == 0) {
        forget_found(d);
        d->found = told;
        d->was_told = true;
        checks_publish(s, d, lsp_json_at(told, "diagnostics"));
    } else if (kind && strcmp(kind, "hovers") == 0) {
        cJSON_Delete(d->hovers);
        d->hovers = told;
    } else {
        cJSON_Delete(told);
    }
}

void lsp_server_ended(lsp_server *s, uint64_t number, const char *why)
{
    document *d = checked_by(s, number);
    if (!d)
        return;
    d->check = 0;
    s->n_running--;
    if (!d->was_told)
        publish_unchecked(s, d, why ? why : "the check has told nothing");
    else if (why)
        lsp_server_log(s, "%s: only a part is known of it: %s", d->uri, why);
    answers_give(s, d);
}

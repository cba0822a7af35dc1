/* Documents as the client has them open. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "lsp/server.h"
#include "lsp/uri.h"

/* ---- Section: Which there are ---- */

static document *find(const lsp_server *s, const char *uri)
{
    for (size_t i = 0; uri && i < arrlenu(s->documents); i++)
        if (strcmp(s->documents[i]->uri, uri) == 0)
            return s->documents[i];
    return NULL;
}

document *document_find(const lsp_server *s, const cJSON *params)
{
    return find(s, lsp_json_text_at(params, "textDocument.uri"));
}

static lsp_kind kind_of(const char *path)
{
    static const struct {
        const char *suffix;
        lsp_kind kind;
    } kinds[] = {{".c", LSP_SOURCE},    {".h", LSP_SOURCE},     {".py", LSP_RECORDED},
                 {".cu", LSP_RECORDED}, {".cuh", LSP_RECORDED}, {".rs", LSP_RECORDED},
                 {".jl", LSP_RECORDED}};
    for (size_t i = 0; path && i < TR_COUNT(kinds); i++)
        if (tr_ends_in(path, kinds[i].suffix))
            return kinds[i].kind;
    return LSP_OTHER;
}

void document_free(tr_take document *d)
{
    free(d->uri);
    free(d->path);
    free(d->stamp);
    tr_text_free(&d->text);
    cJSON_Delete(d->found);
    cJSON_Delete(d->hovers);
    free(d);
}

static document *add(lsp_server *s, const char *uri)
{
    tr_arena *arena = tr_arena_new();
    document *d = calloc(1, sizeof *d);
    if (!d)
        tr_no_memory();
    const char *path = lsp_uri_path(arena, uri);
    *d = (document){
        .uri = tr_duplicate(uri), .path = path ? tr_duplicate(path) : NULL, .due = INT64_MAX};
    d->kind = kind_of(d->path);
    tr_arena_free(arena);
    arrput(s->documents, d);
    return d;
}

/* ---- Section: Texts ---- */

/* The edits that a client sends from now on are of a text that is not known here. */
static void lose(lsp_server *s, document *d, const char *why)
{
    d->lost = why;
    tr_text_clear(&d->text);
    lsp_server_log(s, "%s: %s; closing and opening it again helps", d->uri, why);
}

static void doubt(lsp_server *s, document *d)
{
    if (d->kind != LSP_SOURCE || d->lost) /* of others the text is not looked at */
        return;
    answers_refuse(s, d, RPC_MODIFIED, "the document may have changed");
    lose(s, d, "a message that may have changed it cannot be understood");
    checks_touch(s, d, s->now);
    checks_touch_users(s, d->path, s->now);
}

void documents_doubt(lsp_server *s)
{
    for (size_t i = 0; i < arrlenu(s->documents); i++)
        doubt(s, s->documents[i]);
}

void documents_doubt_one(lsp_server *s, const cJSON *params)
{
    document *d = document_find(s, params);
    if (d)
        doubt(s, d);
}

static void set_text(lsp_server *s, document *d, const char *text)
{
    tr_text_clear(&d->text);
    d->lost = NULL;
    if (strlen(text) > LSP_LARGEST_DOCUMENT)
        lose(s, d, "the document is larger than 16 MiB");
    else
        tr_text_add(&d->text, text);
}

static bool edit(lsp_server *s, document *d, lsp_range range, const char *with)
{
    size_t from, to;
    const char *text = tr_text_get(&d->text);
    if (!lsp_offset_of(text, d->text.length, s->encoding, range.start, &from) ||
        !lsp_offset_of(text, d->text.length, s->encoding, range.end, &to) || to < from)
        return false;
    tr_text edited = {0};
    tr_text_addn(&edited, text, from);
    tr_text_add(&edited, with);
    tr_text_addn(&edited, text + to, d->text.length - to);
    tr_text_free(&d->text);
    d->text = edited;
    return true;
}

static void take_change(lsp_server *s, document *d, const cJSON *change)
{
    lsp_range range;
    const char *text = lsp_json_text_at(change, "text");
    if (text && !lsp_json_at(change, "range"))
        set_text(s, d, text);
    else if (d->lost)
        return;
    else if (!text || !lsp_json_range_at(change, "range", &range))
        lose(s, d, "an edit has no text or no range");
    else if (!edit(s, d, range, text))
        lose(s, d, "an edit is outside the document");
    else if (d->text.length > LSP_LARGEST_DOCUMENT)
        lose(s, d, "the document is larger than 16 MiB");
}

/* ---- Section: What the client says of them ---- */

static void take_version(document *d, const cJSON *params)
{
    int64_t version;
    if (lsp_json_number_at(params, "textDocument.version", INT32_MAX, &version))
        d->version = version;
}

static void changed(lsp_server *s, document *d, int64_t due)
{
    for (size_t i = 0; i < arrlenu(s->documents); i++)
        if (s->documents[i] == d) {
            arrdel(s->documents, i);
            arrput(s->documents, d);
            break;
        }
    checks_touch(s, d, due);
    if (d->path)
        checks_touch_users(s, d->path, due);
}

void on_open(lsp_server *s, const cJSON *message, const cJSON *params)
{
    (void)message;
    const char *uri = lsp_json_text_at(params, "textDocument.uri");
    const char *text = lsp_json_text_at(params, "textDocument.text");
    if (!uri || !text) {
        lsp_server_log(s, "a document was opened without its URI or text");
        return;
    }
    document *d = find(s, uri);
    if (!d && arrlenu(s->documents) >= LSP_MOST_DOCUMENTS) {
        lsp_server_log(s, "%s: more than %d documents are open", uri, LSP_MOST_DOCUMENTS);
        return;
    }
    d = d ? d : add(s, uri);
    d->version = 0;
    d->is_dirty = false;
    take_version(d, params);
    set_text(s, d, text);
    changed(s, d, s->now);
}

static document *known(lsp_server *s, const cJSON *params, const char *what)
{
    document *d = document_find(s, params);
    const char *uri = lsp_json_text_at(params, "textDocument.uri");
    if (!d)
        lsp_server_log(s, "%s was %s, which is not open", uri ? uri : "a document without a URI",
                       what);
    return d;
}

void on_change(lsp_server *s, const cJSON *message, const cJSON *params)
{
    (void)message;
    document *d = known(s, params, "changed");
    const cJSON *change, *changes = lsp_json_at(params, "contentChanges");
    if (!d)
        return;
    answers_refuse(s, d, RPC_MODIFIED, "the document has changed");
    if (!cJSON_IsArray(changes))
        lose(s, d, "a change has no edits");
    else
        cJSON_ArrayForEach(change, changes) take_change(s, d, change);
    take_version(d, params);
    d->is_dirty = true;
    if (d->kind == LSP_RECORDED && !d->lost)
        return; /* a recording knows files as they are saved; until then clients move the findings
                 */
    changed(s, d, s->now + LSP_PAUSE_MS);
}

void on_save(lsp_server *s, const cJSON *message, const cJSON *params)
{
    (void)message;
    document *d = known(s, params, "saved");
    if (!d)
        return;
    d->is_dirty = false;
    if (d->kind == LSP_RECORDED)
        checks_touch(s, d, s->now);
    else if (d->path) /* others may be configurations */
        checks_touch_users(s, d->kind == LSP_SOURCE ? d->path : NULL, s->now);
}

void on_close(lsp_server *s, const cJSON *message, const cJSON *params)
{
    (void)message;
    document *d = known(s, params, "closed");
    if (!d)
        return;
    answers_refuse(s, d, RPC_MODIFIED, "the document is closed");
    checks_stop(s, d);
    checks_publish(s, d, NULL);
    for (size_t i = arrlenu(s->documents); i-- > 0;)
        if (s->documents[i] == d)
            arrdel(s->documents, i);
    if (d->path)
        checks_touch_users(s, d->path, s->now);
    document_free(d);
}

void on_files_changed(lsp_server *s, const cJSON *message, const cJSON *params)
{
    (void)message;
    const cJSON *change, *changes = lsp_json_at(params, "changes");
    tr_arena *arena = tr_arena_new();
    cJSON_ArrayForEach(change, changes)
    {
        const char *uri = lsp_json_text_at(change, "uri");
        const char *path = uri ? lsp_uri_path(arena, uri) : NULL;
        bool is_source = path && kind_of(path) == LSP_SOURCE;
        if (path && !(is_source && find(s, uri))) /* what is open is as the client has it */
            checks_touch_users(s, is_source ? path : NULL, s->now + LSP_PAUSE_MS);
    }
    tr_arena_free(arena);
}

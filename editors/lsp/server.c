/* The life of a server, and its messages. */
#include "lsp/server.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "lsp/uri.h"

/* ---- Section: Sending ---- */

static void send_message(lsp_server *s, tr_take cJSON *message)
{
    cJSON_AddStringToObject(message, "jsonrpc", "2.0");
    char *text = lsp_json_print(message);
    frames_write(&s->out, text);
    cJSON_free(text);
    cJSON_Delete(message);
}

static cJSON *answer_to(const cJSON *request)
{
    const cJSON *id = lsp_json_at(request, "id");
    return lsp_json_with(lsp_json_object(), "id",
                         id ? cJSON_Duplicate(id, true) : cJSON_CreateNull());
}

void lsp_server_answer(lsp_server *s, const cJSON *request, tr_take cJSON *result)
{
    send_message(s, lsp_json_with(answer_to(request), "result", result));
}

void lsp_server_refuse(lsp_server *s, const cJSON *request, enum rpc_error code, const char *why)
{
    cJSON *error =
        lsp_json_with_text(lsp_json_with_number(lsp_json_object(), "code", code), "message", why);
    send_message(s, lsp_json_with(answer_to(request), "error", error));
}

void lsp_server_notify(lsp_server *s, const char *method, tr_take cJSON *params)
{
    send_message(s, lsp_json_with(lsp_json_with_text(lsp_json_object(), "method", method), "params",
                                  params));
}

void lsp_server_show(lsp_server *s, message_level level, const char *text)
{
    const char *method = level == SHOW_LOG ? "window/logMessage" : "window/showMessage";
    if (s->is_initialized)
        lsp_server_notify(s, method,
                          lsp_json_with_text(lsp_json_with_number(lsp_json_object(), "type", level),
                                             "message", text));
}

void lsp_server_log(lsp_server *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tr_text text = {0};
    tr_text_vaddf(&text, format, arguments);
    va_end(arguments);
    lsp_server_show(s, SHOW_LOG, tr_text_get(&text));
    tr_text_free(&text);
}

void lsp_server_warn(lsp_server *s, const char *sentence)
{
    if (s->is_initialized)
        lsp_server_show(s, SHOW_WARNING, sentence);
    else
        arrput(s->warnings, strdup(sentence));
}

/* ---- Section: Beginning and end ---- */

static void add_root(lsp_server *s, const char *uri)
{
    tr_arena *arena = tr_arena_new();
    const char *path = uri ? lsp_uri_path(arena, uri) : NULL;
    if (path)
        arrput(s->roots, strdup(path));
    tr_arena_free(arena);
}

static void take_roots(lsp_server *s, const cJSON *params)
{
    const cJSON *folder, *folders = lsp_json_at(params, "workspaceFolders");
    if (cJSON_IsArray(folders))
        cJSON_ArrayForEach(folder, folders) add_root(s, lsp_json_text_at(folder, "uri"));
    else
        add_root(s, lsp_json_text_at(params, "rootUri"));
}

/* The first that the client names and that is known here; UTF-16 is what all have. */
static lsp_encoding choose_encoding(const cJSON *params)
{
    const cJSON *item, *offered = lsp_json_at(params, "capabilities.general.positionEncodings");
    if (cJSON_IsArray(offered))
        cJSON_ArrayForEach(
            item,
            offered) for (int e = 0; cJSON_IsString(item) && e < LSP_ENCODING_COUNT;
                          e++) if (strcmp(item->valuestring, lsp_encoding_name((lsp_encoding)e)) ==
                                   0) return (lsp_encoding)e;
    return LSP_UTF16;
}

static cJSON *capabilities(const lsp_server *s)
{
    enum { INCREMENTAL = 2 };
    cJSON *sync = lsp_json_with_bool(lsp_json_object(), "openClose", true);
    lsp_json_with_number(sync, "change", INCREMENTAL);
    lsp_json_with(sync, "save", lsp_json_with_bool(lsp_json_object(), "includeText", false));
    cJSON *kinds = lsp_json_array();
    lsp_json_append(kinds, cJSON_CreateString("quickfix"));
    cJSON *folders = lsp_json_with_bool(lsp_json_object(), "supported", true);
    lsp_json_with_bool(folders, "changeNotifications", true);
    cJSON *all =
        lsp_json_with_text(lsp_json_object(), "positionEncoding", lsp_encoding_name(s->encoding));
    lsp_json_with(all, "textDocumentSync", sync);
    lsp_json_with_bool(all, "hoverProvider", true);
    lsp_json_with(all, "codeActionProvider",
                  lsp_json_with(lsp_json_object(), "codeActionKinds", kinds));
    return lsp_json_with(all, "workspace",
                         lsp_json_with(lsp_json_object(), "workspaceFolders", folders));
}

void on_initialize(lsp_server *s, const cJSON *message, const cJSON *params)
{
    if (s->state != BEFORE) {
        lsp_server_refuse(s, message, RPC_REQUEST, "the server has been initialized before");
        return;
    }
    if (!cJSON_IsObject(params)) {
        lsp_server_refuse(s, message, RPC_PARAMS, "initialize needs params");
        return;
    }
    s->state = READY;
    s->encoding = choose_encoding(params);
    s->watches_files = lsp_json_true_at(
        params, "capabilities.workspace.didChangeWatchedFiles.dynamicRegistration");
    take_roots(s, params);
    lsp_json_number_at(params, "processId", INT32_MAX, &s->client);
    cJSON *result = lsp_json_with(lsp_json_object(), "capabilities", capabilities(s));
    cJSON *info = lsp_json_with_text(lsp_json_object(), "name", "tilerace");
    lsp_json_with_text(info, "version", TILERACE_VERSION);
    lsp_server_answer(s, message, lsp_json_with(result, "serverInfo", info));
}

static void watch_files(lsp_server *s)
{
    static const char *const patterns[] = {"**/*.{c,h}", "**/*.launch.json", "**/tilerace.toml",
                                           "**/pyproject.toml", "**/compile_commands.json"};
    cJSON *watchers = lsp_json_array();
    for (size_t i = 0; i < TR_COUNT(patterns); i++)
        lsp_json_append(watchers,
                        lsp_json_with_text(lsp_json_object(), "globPattern", patterns[i]));
    cJSON *one = lsp_json_with_text(lsp_json_object(), "id", "files");
    lsp_json_with_text(one, "method", "workspace/didChangeWatchedFiles");
    lsp_json_with(one, "registerOptions", lsp_json_with(lsp_json_object(), "watchers", watchers));
    cJSON *registrations = lsp_json_array();
    lsp_json_append(registrations, one);
    cJSON *request = lsp_json_with_text(lsp_json_object(), "id", "watch-files");
    lsp_json_with_text(request, "method", "client/registerCapability");
    send_message(s,
                 lsp_json_with(request, "params",
                               lsp_json_with(lsp_json_object(), "registrations", registrations)));
}

void on_initialized(lsp_server *s, const cJSON *message, const cJSON *params)
{
    (void)message, (void)params;
    if (s->is_initialized)
        return;
    s->is_initialized = true;
    if (s->watches_files)
        watch_files(s);
    for (size_t i = 0; i < arrlenu(s->warnings); i++) {
        lsp_server_show(s, SHOW_WARNING, s->warnings[i]);
        free(s->warnings[i]);
    }
    arrfree(s->warnings);
}

void on_shutdown(lsp_server *s, const cJSON *message, const cJSON *params)
{
    (void)params;
    s->state = SHUT_DOWN;
    s->was_shut_down = true;
    for (size_t i = 0; i < arrlenu(s->documents); i++) {
        answers_refuse(s, s->documents[i], RPC_CANCELLED, "the server is shut down");
        checks_stop(s, s->documents[i]);
        s->documents[i]->due = INT64_MAX;
    }
    lsp_server_answer(s, message, cJSON_CreateNull());
}

void on_exit_asked(lsp_server *s, const cJSON *message, const cJSON *params)
{
    (void)message, (void)params;
    s->state = OVER;
}

void on_nothing(lsp_server *s, const cJSON *message, const cJSON *params)
{
    (void)s, (void)message, (void)params;
}

void on_folders_changed(lsp_server *s, const cJSON *message, const cJSON *params)
{
    (void)message;
    const cJSON *folder;
    tr_arena *arena = tr_arena_new();
    cJSON_ArrayForEach(folder, lsp_json_at(params, "event.removed"))
    {
        const char *uri = lsp_json_text_at(folder, "uri"),
                   *path = uri ? lsp_uri_path(arena, uri) : NULL;
        for (size_t i = arrlenu(s->roots); path && i-- > 0;)
            if (strcmp(s->roots[i], path) == 0) {
                free(s->roots[i]);
                arrdel(s->roots, i);
            }
    }
    cJSON_ArrayForEach(folder, lsp_json_at(params, "event.added"))
        add_root(s, lsp_json_text_at(folder, "uri"));
    tr_arena_free(arena);
    checks_touch_users(s, NULL, s->now);
}

/* ---- Section: Taking messages ---- */

typedef struct method_row {
    bool is_request;
    const char *name;
    method_function *function;
} method_row;

enum { NOTIFY, REQUEST };

static const method_row methods[] = {
#define METHOD(kind, name, function) {kind, name, function},
#include "lsp/methods.def"
};

static const method_row *method_of(const char *name)
{
    for (size_t i = 0; i < TR_COUNT(methods); i++)
        if (strcmp(methods[i].name, name) == 0)
            return &methods[i];
    return NULL;
}

/* Why no function may be called for this request now; 0: one may. */
static enum rpc_error refusal(const lsp_server *s, const method_row *row, const char *name,
                              const char **why)
{
    if (s->state == BEFORE && strcmp(name, "initialize") != 0) {
        *why = "the server is not initialized yet";
        return RPC_NOT_INITIALIZED;
    }
    if (s->state == SHUT_DOWN) {
        *why = "the server is shut down";
        return RPC_REQUEST;
    }
    if (!row || !row->is_request) {
        *why = "the server has no such request";
        return RPC_METHOD;
    }
    return 0;
}

static bool is_id(const cJSON *id)
{
    return cJSON_IsString(id) || cJSON_IsNumber(id);
}

/* `exit` alone is taken at any time. */
static bool takes_notification(const lsp_server *s, const method_row *row)
{
    return row && !row->is_request && (s->state == READY || row->function == on_exit_asked);
}

static void dispatch(lsp_server *s, const cJSON *message)
{
    const cJSON *id = lsp_json_at(message, "id"), *params = lsp_json_at(message, "params");
    const char *name = lsp_json_text_at(message, "method"), *why = NULL;
    const method_row *row = name ? method_of(name) : NULL;
    bool is_answer = !name && (lsp_json_at(message, "result") || lsp_json_at(message, "error"));
    bool is_edit = row && !row->is_request; /* or may be one, of what it should not look like */
    if (is_answer)
        return; /* to a registration: nothing depends on it */
    if (!name || (id && !is_id(id))) {
        lsp_server_refuse(s, id && is_id(id) ? message : NULL, RPC_REQUEST,
                          "this is not a request");
        if (is_edit)
            documents_doubt_one(s, params);
        else if (!name && !id)
            documents_doubt(s);
        return;
    }
    if (!id) {
        if (takes_notification(s, row))
            row->function(s, message, params);
        return;
    }
    enum rpc_error code = refusal(s, row, name, &why);
    if (code)
        lsp_server_refuse(s, message, code, why);
    else
        row->function(s, message, params);
    if (code && is_edit)
        documents_doubt_one(s, params);
}

static void take_message(lsp_server *s, const char *text, size_t length)
{
    tr_arena *arena = tr_arena_new();
    cJSON *message = lsp_json_parse(arena, text, length);
    if (message)
        dispatch(s, message);
    else {
        lsp_server_refuse(s, NULL, RPC_PARSE, "the message is not JSON");
        documents_doubt(s);
    }
    cJSON_Delete(message);
    tr_arena_free(arena);
}

void lsp_server_take(lsp_server *s, const char *bytes, size_t n, int64_t now)
{
    s->now = now;
    frames_add(&s->in, bytes, n);
    while (s->state != OVER)
        switch (frames_next(&s->in)) {
        case FRAMES_NONE:
            return;
        case FRAMES_MESSAGE:
            take_message(s, s->in.text, s->in.length);
            break;
        case FRAMES_WRONG:
            lsp_server_refuse(s, NULL, RPC_PARSE, s->in.text);
            documents_doubt(s);
            break;
        }
}

/* ---- Section: The server ---- */

tr_give lsp_server *lsp_server_new(const lsp_checks *checks, size_t at_once)
{
    lsp_server *s = calloc(1, sizeof *s);
    if (!s)
        tr_no_memory();
    s->checks = checks;
    s->at_once = at_once;
    s->looks_again = INT64_MAX;
    return s;
}

void lsp_server_free(tr_take lsp_server *s)
{
    for (size_t i = 0; i < arrlenu(s->waiting); i++)
        waiting_free(&s->waiting[i]);
    for (size_t i = 0; i < arrlenu(s->documents); i++) {
        checks_stop(s, s->documents[i]);
        document_free(s->documents[i]);
    }
    for (size_t i = 0; i < arrlenu(s->roots); i++)
        free(s->roots[i]);
    for (size_t i = 0; i < arrlenu(s->warnings); i++)
        free(s->warnings[i]);
    arrfree(s->waiting);
    arrfree(s->documents);
    arrfree(s->roots);
    arrfree(s->warnings);
    frames_free(&s->in);
    tr_text_free(&s->out);
    free(s);
}

tr_text *lsp_server_output(lsp_server *s)
{
    return &s->out;
}

bool lsp_server_is_over(const lsp_server *s)
{
    return s->state == OVER;
}

bool lsp_server_was_shut_down(const lsp_server *s)
{
    return s->was_shut_down;
}

int64_t lsp_server_client(const lsp_server *s)
{
    return s->client;
}

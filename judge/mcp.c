/* tilerace mcp: the methods of serve as tools of the Model Context Protocol, over standard input
 * and output. */
#include <cjson/cJSON.h>
#include <string.h>

#include "driver/commands.h"
#include "judge/server.h"
#include "lsp/json.h"

enum { MOST_RESULT = 1 << 20, LIST_STAYS_MS = 3600 * 1000 };

enum { CODE_UNSUPPORTED_VERSION = -32022 };

/* Keys of requests, as of 2026-07-28. */
static const char version_key[] = "io.modelcontextprotocol/protocolVersion";
static const char capabilities_key[] = "io.modelcontextprotocol/clientCapabilities";

static const char instructions[] =
    "tilerace judges GPU tile kernels without a GPU. Write a kernel in the C tile dialect, then "
    "call "
    "judge with its text as context.kernel.source, what it is launched with as context.launch, and "
    "a "
    "kernel that is right as context.reference. Correct what the faults name, the first one first, "
    "and judge again until the class is passed. The class unknown means undecided: neither right "
    "nor "
    "wrong.";

typedef enum revision {
#define REVISION(id, name, is_stateless) REVISION_##id,
#include "judge/mcp_revisions.def"
    REVISION_COUNT,
    REVISION_NEWEST_WITH_STATE = REVISION_2025_11,
} revision;

typedef struct revision_info {
    const char *name;
    bool is_stateless;
} revision_info;

static const revision_info revisions[] = {
#define REVISION(id, name, is_stateless) {name, is_stateless},
#include "judge/mcp_revisions.def"
};

/* ---- Section: Answers ---- */

static cJSON *message_of(const char *id)
{
    cJSON *message = lsp_json_with_text(lsp_json_object(), "jsonrpc", "2.0");
    return id ? lsp_json_with(message, "id", cJSON_CreateRaw(id)) : message;
}

static void say(server *s, tr_take cJSON *message)
{
    char *text = lsp_json_print(message);
    server_say(s, text, strlen(text));
    cJSON_free(text);
    cJSON_Delete(message);
}

static void say_error(server *s, const char *id, int code, const char *why, tr_take cJSON *data)
{
    cJSON *error = lsp_json_with_number(lsp_json_object(), "code", code);
    lsp_json_with_text(error, "message", why);
    if (data)
        lsp_json_with(error, "data", data);
    say(s, lsp_json_with(message_of(id), "error", error));
}

static cJSON *server_info(void)
{
    cJSON *info = lsp_json_with_text(lsp_json_object(), "name", "tilerace");
    lsp_json_with_text(info, "title", "tilerace: judge and check GPU tile kernels");
    return lsp_json_with_text(info, "version", TILERACE_VERSION);
}

/* A result of the revision, which is taken. */
static void say_result(server *s, const char *id, revision of, tr_take cJSON *result)
{
    if (revisions[of].is_stateless) {
        lsp_json_with_text(result, "resultType", "complete");
        lsp_json_with(
            result, "_meta",
            lsp_json_with(lsp_json_object(), "io.modelcontextprotocol/serverInfo", server_info()));
    }
    say(s, lsp_json_with(message_of(id), "result", result));
}

/* How long what does not change may be kept. */
static void with_stay(cJSON *result, revision of)
{
    if (!revisions[of].is_stateless)
        return;
    lsp_json_with_number(result, "ttlMs", LIST_STAYS_MS);
    lsp_json_with_text(result, "cacheScope", "public");
}

/* ---- Section: What the server says of a request ---- */

static void refused(server *s, const char *id, serve_error error, const char *why)
{
    say_error(s, id, serve_error_of(error)->code, why, NULL);
}

static cJSON *content_of(tr_take cJSON *text)
{
    cJSON *block = lsp_json_with_text(lsp_json_object(), "type", "text"), *list = lsp_json_array();
    lsp_json_append(list, lsp_json_with(block, "text", text));
    return list;
}

static void answered(server *s, const server_request *r, const char *result, size_t length)
{
    char *text = tr_allocate(length + 1);
    memcpy(text, result, length);
    text[length] = 0;
    cJSON *object =
        lsp_json_with(lsp_json_object(), "content", content_of(cJSON_CreateString(text)));
    lsp_json_with(object, "structuredContent", cJSON_CreateRaw(text));
    lsp_json_with_bool(object, "isError", false);
    say_result(s, r->id, (revision)r->revision, object);
    cJSON_free(text);
}

/* The model has to see it, so it is a result. */
static void failed(server *s, const server_request *r, serve_error error, const char *why)
{
    tr_text words = {0};
    tr_text_addf(&words, "%s: %s", serve_error_of(error)->name, why);
    cJSON *text = cJSON_CreateString(tr_text_get(&words));
    cJSON *object = lsp_json_with(lsp_json_object(), "content", content_of(text));
    lsp_json_with_bool(object, "isError", true);
    say_result(s, r->id, (revision)r->revision, object);
    tr_text_free(&words);
}

static void at(server *s, server_request *r, uint64_t combination, judge_phase phase)
{
    tr_text words = {0};
    tr_text_add(&words, judge_phase_name(phase));
    if (combination > 0)
        tr_text_addf(&words, ", combination %llu", (unsigned long long)combination + 1);
    cJSON *params = lsp_json_with(lsp_json_object(), "progressToken", cJSON_CreateRaw(r->progress));
    lsp_json_with_number(params, "progress", ++r->told);
    lsp_json_with_text(params, "message", tr_text_get(&words));
    cJSON *message = lsp_json_with_text(message_of(NULL), "method", "notifications/progress");
    say(s, lsp_json_with(message, "params", params));
    tr_text_free(&words);
}

/* ---- Section: Requests ---- */

typedef struct asked {
    const cJSON *id, *params;
    const char *id_text; /* the id as JSON */
    revision revision;
} asked;

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static const char *text_of(const cJSON *object, const char *key)
{
    const cJSON *item = member(object, key);
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

static cJSON *capabilities(void)
{
    return lsp_json_with(lsp_json_object(), "tools", lsp_json_object());
}

static revision revision_by_name(const char *name)
{
    int i = 0;
    while (i < REVISION_COUNT && (!name || strcmp(revisions[i].name, name) != 0))
        i++;
    return (revision)i;
}

/* Answers an unknown revision with the newest known one; the client decides whether that will do.
 */
static void on_initialize(server *s, const asked *a)
{
    revision wanted = revision_by_name(text_of(a->params, "protocolVersion"));
    if (wanted == REVISION_COUNT || revisions[wanted].is_stateless)
        wanted = REVISION_NEWEST_WITH_STATE;
    *server_state(s) = wanted + 1;
    cJSON *result =
        lsp_json_with_text(lsp_json_object(), "protocolVersion", revisions[wanted].name);
    lsp_json_with(result, "capabilities", capabilities());
    lsp_json_with(result, "serverInfo", server_info());
    lsp_json_with_text(result, "instructions", instructions);
    say_result(s, a->id_text, wanted, result);
}

static void on_discover(server *s, const asked *a)
{
    cJSON *versions = lsp_json_array(), *result = lsp_json_object();
    for (int i = 0; i < REVISION_COUNT; i++)
        lsp_json_append(versions, cJSON_CreateString(revisions[i].name));
    lsp_json_with(result, "supportedVersions", versions);
    lsp_json_with(result, "capabilities", capabilities());
    lsp_json_with_text(result, "instructions", instructions);
    with_stay(result, a->revision);
    say_result(s, a->id_text, a->revision, result);
}

static void on_ping(server *s, const asked *a)
{
    say_result(s, a->id_text, a->revision, lsp_json_object());
}

/* Nothing is changed anywhere, and nothing outside of the files that are named is asked. */
static cJSON *annotations(void)
{
    cJSON *object = lsp_json_with_bool(lsp_json_object(), "readOnlyHint", true);
    lsp_json_with_bool(object, "destructiveHint", false);
    lsp_json_with_bool(object, "idempotentHint", true);
    return lsp_json_with_bool(object, "openWorldHint", false);
}

static void on_tools_list(server *s, const asked *a)
{
    cJSON *tools = lsp_json_array();
    for (int i = 0; i < METHOD_COUNT; i++) {
        const method *m = method_of((method_id)i);
        cJSON *tool = lsp_json_with_text(lsp_json_object(), "name", m->name);
        lsp_json_with_text(tool, "title", m->title);
        lsp_json_with_text(tool, "description", m->about);
        lsp_json_with(tool, "inputSchema", method_input_schema((method_id)i));
        lsp_json_with(tool, "outputSchema", method_output_schema((method_id)i));
        lsp_json_append(tools, lsp_json_with(tool, "annotations", annotations()));
    }
    cJSON *result = lsp_json_with(lsp_json_object(), "tools", tools);
    with_stay(result, a->revision);
    say_result(s, a->id_text, a->revision, result);
}

static void on_tools_call(server *s, const asked *a)
{
    const char *name = text_of(a->params, "name");
    const cJSON *arguments = member(a->params, "arguments");
    const cJSON *token = member(member(a->params, "_meta"), "progressToken");
    method_id which;
    if (!name)
        say_error(s, a->id_text, serve_error_of(SERVE_BAD_PARAMS)->code,
                  "tools/call takes the name of a tool", NULL);
    else if (!method_by_name(name, &which))
        say_error(s, a->id_text, serve_error_of(SERVE_BAD_PARAMS)->code,
                  "there is no tool of that name", NULL);
    else
        server_ask(s, a->id, which, arguments, server_is_id(token) ? token : NULL, a->revision);
}

/* ---- Section: Messages ---- */

static cJSON *versions_for(const char *requested)
{
    cJSON *supported = lsp_json_array();
    for (int i = 0; i < REVISION_COUNT; i++)
        if (revisions[i].is_stateless)
            lsp_json_append(supported, cJSON_CreateString(revisions[i].name));
    cJSON *data = lsp_json_with(lsp_json_object(), "supported", supported);
    return lsp_json_with_text(data, "requested", requested);
}

/* Finds the revision that the request is of: as it says itself, else as was agreed on. False after
 * an error. */
static bool find_revision(server *s, asked *a, const char *name)
{
    const cJSON *meta = member(a->params, "_meta");
    const char *wanted = text_of(meta, version_key);
    bool needs_none = strcmp(name, "initialize") == 0 || strcmp(name, "ping") == 0;
    int bad = serve_error_of(SERVE_BAD_PARAMS)->code;
    a->revision = *server_state(s) ? (revision)(*server_state(s) - 1) : REVISION_NEWEST_WITH_STATE;
    if (!wanted && (needs_none || *server_state(s)))
        return true;
    a->revision = revision_by_name(wanted);
    if (!wanted)
        say_error(s, a->id_text, bad,
                  "neither initialize nor _meta of this request says which revision of the "
                  "protocol it is of",
                  NULL);
    else if (a->revision == REVISION_COUNT || !revisions[a->revision].is_stateless)
        say_error(s, a->id_text, CODE_UNSUPPORTED_VERSION, "Unsupported protocol version",
                  versions_for(wanted));
    else if (!cJSON_IsObject(member(meta, capabilities_key)))
        say_error(s, a->id_text, bad, "_meta has to say what the client is capable of", NULL);
    else
        return true;
    return false;
}

static void take_request(server *s, asked *a, const char *name)
{
    static const struct {
        const char *name;
        void (*function)(server *s, const asked *a);
    } methods[] = {
#define MCP_METHOD(name, function) {name, function},
#include "judge/mcp_methods.def"
    };
    if (!find_revision(s, a, name))
        return;
    for (size_t i = 0; i < TR_COUNT(methods); i++)
        if (strcmp(methods[i].name, name) == 0) {
            methods[i].function(s, a);
            return;
        }
    say_error(s, a->id_text, serve_error_of(SERVE_NO_METHOD)->code, "there is no such method",
              NULL);
}

static void take_notification(server *s, const char *name, const cJSON *params)
{
    const cJSON *id = member(params, "requestId");
    if (strcmp(name, "notifications/cancelled") == 0 && server_is_id(id))
        server_cancel(s, id); /* what is cancelled is not answered */
}

static void take_message(server *s, const cJSON *message)
{
    const char *name = text_of(message, "method");
    asked a = {.id = member(message, "id"), .params = member(message, "params")};
    if (!cJSON_IsObject(message) || (!name && !a.id)) {
        refused(s, SERVER_NO_ID, SERVE_BAD_REQUEST, "this is not a message of JSON-RPC");
        return;
    }
    if (!name)
        return; /* an answer: nothing was asked */
    if (!a.id) {
        take_notification(s, name, a.params);
        return;
    }
    char *id_text = server_is_id(a.id) ? lsp_json_print(a.id) : NULL;
    a.id_text = id_text;
    if (id_text)
        take_request(s, &a, name);
    else
        refused(s, SERVER_NO_ID, SERVE_BAD_REQUEST, "an id is a string or a whole number");
    cJSON_free(id_text);
}

int command_mcp(session *s)
{
    static const protocol mcp = {.message = take_message,
                                 .refused = refused,
                                 .answered = answered,
                                 .failed = failed,
                                 .at = at,
                                 .most_result = MOST_RESULT};
    driver_options options = *s->options;
    session own = *s;
    if (!options.device)
        options.device = "cpu"; /* nothing of a kernel is executed unless somebody asks for it */
    own.options = &options;
    return server_run(&own, &mcp);
}

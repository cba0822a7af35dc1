/* tilerace serve: requests and answers, a line of JSON each. */
#include <cjson/cJSON.h>
#include <string.h>

#include "driver/commands.h"
#include "judge/server.h"
#include "lsp/json.h"

static void say(server *s, const char *id, const char *key, const char *json, size_t length)
{
    tr_text line = {0};
    tr_text_addf(&line, "{\"id\":%s,\"%s\":", id, key);
    tr_text_addn(&line, json, length);
    tr_text_add(&line, "}");
    server_say(s, line.data, line.length);
    tr_text_free(&line);
}

static void say_text(server *s, const char *id, const char *key, const char *json)
{
    say(s, id, key, json, strlen(json));
}

static void say_error(server *s, const char *id, serve_error error, const char *why, bool has_line)
{
    cJSON *object = lsp_json_with_text(lsp_json_object(), "code", serve_error_of(error)->name);
    lsp_json_with_text(object, "message", why);
    if (has_line)
        lsp_json_with_number(object, "line", (int64_t)server_line(s));
    char *text = lsp_json_print(object);
    say_text(s, id, "error", text);
    cJSON_free(text);
    cJSON_Delete(object);
}

static void refused(server *s, const char *id, serve_error error, const char *why)
{
    say_error(s, id, error, why, true);
}

static void failed(server *s, const server_request *r, serve_error error, const char *why)
{
    say_error(s, r->id, error, why, false);
}

static void answered(server *s, const server_request *r, const char *result, size_t length)
{
    say(s, r->id, "result", result, length);
}

static void at(server *s, server_request *r, uint64_t combination, judge_phase phase)
{
    tr_text words = {0};
    tr_text_addf(&words, "{\"phase\":\"%s\",\"combination\":%llu}", judge_phase_name(phase),
                 (unsigned long long)combination);
    say(s, r->id, "progress", words.data, words.length);
    tr_text_free(&words);
}

/* ---- Section: Requests ---- */

static const char *text_of(const cJSON *message, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(message, key);
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

/* Returns what is wrong with the form of a request; NULL: nothing. */
static const char *wrong_form(tr_arena *arena, const cJSON *message)
{
    static const char *const keys[] = {"id", "method", "params", "progress", "jsonrpc"};
    const cJSON *item;
    if (!cJSON_IsObject(message))
        return "a request is an object";
    cJSON_ArrayForEach(item, message)
    {
        bool known = false;
        for (size_t i = 0; i < TR_COUNT(keys); i++)
            known = known || strcmp(item->string, keys[i]) == 0;
        if (!known)
            return tr_arena_printf(arena, "'%s' is not a key of a request", item->string);
    }
    if (!text_of(message, "method"))
        return "a request has a 'method', which is a string";
    const cJSON *params = cJSON_GetObjectItemCaseSensitive(message, "params");
    return params && !cJSON_IsObject(params) ? "'params' has to be an object" : NULL;
}

/* Ends the request that `params` names, and answers it with an error. The request to cancel is
 * answered after that, with whether there was one to end, but only if it has an id of its own. */
static void cancel(server *s, const char *id, const cJSON *params)
{
    const cJSON *target = cJSON_GetObjectItemCaseSensitive(params, "id");
    if (!server_is_id(target)) {
        refused(s, id, SERVE_BAD_PARAMS, "'cancel' takes the 'id' of a request");
        return;
    }
    bool was_open = server_cancel(s, target);
    if (was_open) {
        char *target_id = lsp_json_print(target);
        say_error(s, target_id, SERVE_CANCELLED, "it was cancelled", false);
        cJSON_free(target_id);
    }
    if (strcmp(id, SERVER_NO_ID) != 0)
        say_text(s, id, "result", was_open ? "{\"cancelled\":true}" : "{\"cancelled\":false}");
}

static void take_request(server *s, tr_arena *arena, const cJSON *message, const char *id)
{
    const cJSON *id_given = cJSON_GetObjectItemCaseSensitive(message, "id");
    const cJSON *params = cJSON_GetObjectItemCaseSensitive(message, "params");
    const cJSON *progress = cJSON_GetObjectItemCaseSensitive(message, "progress");
    const char *name = text_of(message, "method");
    method_id which;
    if (strcmp(name, "cancel") == 0)
        cancel(s, id, params);
    else if (!server_is_id(id_given))
        refused(s, id, SERVE_BAD_REQUEST, "a request has an 'id': a string, or a whole number");
    else if (!method_by_name(name, &which))
        refused(s, id, SERVE_NO_METHOD, server_no_method(arena, name));
    else
        server_ask(s, id_given, which, params, cJSON_IsTrue(progress) ? progress : NULL, 0);
}

static void take_message(server *s, const cJSON *message)
{
    tr_arena *arena = tr_arena_new();
    const cJSON *id_given = cJSON_GetObjectItemCaseSensitive(message, "id");
    char *id = server_is_id(id_given) ? lsp_json_print(id_given) : NULL;
    const char *shown = id ? id : SERVER_NO_ID, *wrong = wrong_form(arena, message);
    if (wrong)
        refused(s, shown, SERVE_BAD_REQUEST, wrong);
    else
        take_request(s, arena, message, shown);
    cJSON_free(id);
    tr_arena_free(arena);
}

int command_serve(session *s)
{
    static const protocol lines = {.message = take_message,
                                   .refused = refused,
                                   .answered = answered,
                                   .failed = failed,
                                   .at = at,
                                   .most_result = METHOD_MOST_ANSWER};
    return server_run(s, &lines);
}

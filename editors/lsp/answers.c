/* Hovers and code actions: of the text that was checked, so a question waits for the check. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/ds.h"
#include "lsp/server.h"

void waiting_free(waiting *w)
{
    cJSON_Delete(w->message);
}

/* Positions of a recording are those of the file as it was saved. */
static bool is_of_other_text(const document *d)
{
    return d->kind == LSP_RECORDED && d->is_dirty;
}

/* ---- Section: Hovers ---- */

static bool is_smaller(lsp_range a, lsp_range b)
{
    return !lsp_is_before(a.start, b.start) && !lsp_is_before(b.end, a.end);
}

static bool covers(lsp_range range, lsp_position at)
{
    return !lsp_is_before(at, range.start) && lsp_is_before(at, range.end);
}

/* The innermost one at that place, as `a[b[i]] = c` has three accesses. */
static const cJSON *hover_at(const document *d, lsp_position at)
{
    const cJSON *item, *best = NULL;
    lsp_range range, of_best = {0};
    cJSON_ArrayForEach(
        item, lsp_json_at(d->hovers, "items")) if (lsp_json_range_at(item, "range", &range) &&
                                                   covers(range, at) &&
                                                   (!best || is_smaller(range, of_best)))
    {
        best = item;
        of_best = range;
    }
    return best;
}

static void answer_hover(lsp_server *s, const document *d, const cJSON *message)
{
    lsp_position at;
    bool asks = lsp_json_position_at(message, "params.position", &at) && !is_of_other_text(d);
    const cJSON *hover = asks ? hover_at(d, at) : NULL;
    lsp_server_answer(s, message, hover ? cJSON_Duplicate(hover, true) : cJSON_CreateNull());
}

/* ---- Section: Code actions ---- */

static bool wants_quick_fixes(const cJSON *params)
{
    const cJSON *kind, *only = lsp_json_at(params, "context.only");
    if (!cJSON_IsArray(only) || cJSON_GetArraySize(only) == 0)
        return true;
    cJSON_ArrayForEach(kind, only) if (cJSON_IsString(kind) &&
                                       (strcmp(kind->valuestring, "quickfix") == 0 ||
                                        kind->valuestring[0] == '\0')) return true;
    return false;
}

/* A check tells of an action its `diagnostic` (a number), `title`, `range`, `text` and, of the one
 * that should be taken, `preferred`. */
static cJSON *action_of(const document *d, const cJSON *told, const cJSON *diagnostic)
{
    cJSON *edit = lsp_json_with(lsp_json_object(), "range",
                                cJSON_Duplicate(lsp_json_at(told, "range"), true));
    lsp_json_with(edit, "newText", cJSON_Duplicate(lsp_json_at(told, "text"), true));
    cJSON *edits = lsp_json_array();
    lsp_json_append(edits, edit);
    cJSON *changes = lsp_json_with(lsp_json_object(), "changes",
                                   lsp_json_with(lsp_json_object(), d->uri, edits));
    cJSON *diagnostics = lsp_json_array();
    lsp_json_append(diagnostics, cJSON_Duplicate(diagnostic, true));
    cJSON *action = lsp_json_with(lsp_json_object(), "title",
                                  cJSON_Duplicate(lsp_json_at(told, "title"), true));
    lsp_json_with_text(action, "kind", "quickfix");
    lsp_json_with(action, "diagnostics", diagnostics);
    if (lsp_json_true_at(told, "preferred"))
        lsp_json_with_bool(action, "isPreferred", true);
    return lsp_json_with(action, "edit", changes);
}

static void answer_actions(lsp_server *s, const document *d, const cJSON *message)
{
    const cJSON *told, *diagnostics = lsp_json_at(d->found, "diagnostics");
    lsp_range asked, range;
    int64_t which;
    cJSON *actions = lsp_json_array();
    bool wanted = !is_of_other_text(d) && wants_quick_fixes(lsp_json_at(message, "params")) &&
                  lsp_json_range_at(message, "params.range", &asked);
    cJSON_ArrayForEach(told, lsp_json_at(d->found, "actions"))
    {
        if (!wanted || !lsp_json_number_at(told, "diagnostic", INT32_MAX, &which))
            continue;
        const cJSON *diagnostic = cJSON_GetArrayItem(diagnostics, (int)which);
        if (lsp_json_range_at(diagnostic, "range", &range) && lsp_ranges_meet(range, asked))
            lsp_json_append(actions, action_of(d, told, diagnostic));
    }
    lsp_server_answer(s, message, actions);
}

/* ---- Section: Waiting ---- */

static void answer(lsp_server *s, const document *d, const cJSON *message)
{
    if (strcmp(lsp_json_text_at(message, "method"), "textDocument/hover") == 0)
        answer_hover(s, d, message);
    else
        answer_actions(s, d, message);
}

static void ask(lsp_server *s, const cJSON *message, const cJSON *params)
{
    document *d = document_find(s, params);
    if (!d)
        lsp_server_refuse(s, message, RPC_PARAMS, "the document is not open");
    else if (!checks_pending(d))
        answer(s, d, message);
    else
        arrput(s->waiting, ((waiting){cJSON_Duplicate(message, true), d}));
}

void on_hover(lsp_server *s, const cJSON *message, const cJSON *params)
{
    ask(s, message, params);
}

void on_code_action(lsp_server *s, const cJSON *message, const cJSON *params)
{
    ask(s, message, params);
}

static void take_out(lsp_server *s, size_t which)
{
    waiting_free(&s->waiting[which]);
    arrdel(s->waiting, which);
}

void answers_give(lsp_server *s, const document *d)
{
    for (size_t i = 0; i < arrlenu(s->waiting) && !checks_pending(d);)
        if (s->waiting[i].document == d) {
            answer(s, d, s->waiting[i].message);
            take_out(s, i);
        } else {
            i++;
        }
}

void answers_refuse(lsp_server *s, const document *d, enum rpc_error code, const char *why)
{
    for (size_t i = 0; i < arrlenu(s->waiting);)
        if (s->waiting[i].document == d) {
            lsp_server_refuse(s, s->waiting[i].message, code, why);
            take_out(s, i);
        } else {
            i++;
        }
}

void on_cancel(lsp_server *s, const cJSON *message, const cJSON *params)
{
    (void)message;
    const cJSON *id = lsp_json_at(params, "id");
    for (size_t i = arrlenu(s->waiting); id && i-- > 0;)
        if (cJSON_Compare(lsp_json_at(s->waiting[i].message, "id"), id, true)) {
            lsp_server_refuse(s, s->waiting[i].message, RPC_CANCELLED, "cancelled");
            take_out(s, i);
        }
}

/* JSON from outside: what is wrong in it has a place, and no key is there twice. */
#include "report/json_read.h"

#include <stdint.h>
#include <string.h>

#include "json/take.h"
#include "report/report_private.h"

/* ---- Section: Syntax ---- */

static void complain_of(const json_reader *r, const char *text, const json_fault *fault)
{
    tr_place place = {.file = r->path, .line = 1, .column = 1};
    if (fault->kind == JSON_KEY_TWICE) {
        report_json_refuse(r, "", "the key `%s` is there twice", fault->key);
        return;
    }
    for (const char *c = text; c < text + fault->at; c++) {
        place.column++;
        if (*c == '\n') {
            place.line++;
            place.column = 1;
        }
    }
    tr_errors_add(r->errors, &place, "%s", json_fault_text(r->arena, fault));
}

cJSON *report_json_read(json_reader *r, tr_file_kind kind, const char *path)
{
    size_t length;
    const char *why = NULL;
    json_fault fault;
    r->path = tr_arena_strdup(r->arena, path);
    const char *text = tr_read_file(r->arena, kind, path, &length, &why);
    if (!text) {
        tr_place place = {.file = r->path};
        tr_errors_add(r->errors, &place, "%s", why);
        return NULL;
    }
    cJSON *root = json_take(r->arena, text, length, JSON_LONG_AS_TEXT, &fault);
    if (!root)
        complain_of(r, text, &fault);
    return root;
}

/* ---- Section: Values ---- */

void report_json_refuse(const json_reader *r, const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = tr_arena_vprintf(r->arena, format, arguments);
    va_end(arguments);
    tr_place place = {.file = r->path};
    tr_errors_add(r->errors, &place, "%s%s%s.", where, *where ? ": " : "", text);
}

const cJSON *report_json_member(const json_reader *r, const cJSON *object, const char *where,
                                const char *key, int kind)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
    static const struct {
        int kind;
        const char *name;
    } names[] = {{cJSON_String, "a text"},
                 {cJSON_Number, "a number"},
                 {cJSON_Array, "a list"},
                 {cJSON_Object, "an object"}};
    if (value && (value->type & 0xff) == kind)
        return value;
    for (size_t i = 0; i < TR_COUNT(names); i++)
        if (names[i].kind == kind)
            report_json_refuse(r, where,
                               value ? "`%s` must be %s" : "there is no `%s`; it must be %s", key,
                               names[i].name);
    return NULL;
}

const char *report_json_shown(tr_arena *arena, const char *text)
{
    tr_text line = {0};
    for (const char *c = utf8_clean(arena, text); *c; c++) {
        bool is_control = (unsigned char)*c < 0x20 || *c == 0x7f;
        if (is_control)
            tr_text_addf(&line, "\\x%02x", (unsigned)*c);
        else
            tr_text_addn(&line, c, 1);
    }
    const char *kept = tr_arena_strdup(arena, tr_text_get(&line));
    tr_text_free(&line);
    return kept;
}

const char *report_json_line(const json_reader *r, const cJSON *object, const char *where,
                             const char *key)
{
    const cJSON *value = report_json_member(r, object, where, key, cJSON_String);
    if (!value)
        return NULL;
    if (value->valuestring[0])
        return report_json_shown(r->arena, value->valuestring);
    report_json_refuse(r, where, "`%s` is empty", key);
    return NULL;
}

bool report_json_whole(const cJSON *value, uint32_t *number)
{
    if (!cJSON_IsNumber(value) || !(value->valuedouble >= 0) || value->valuedouble > UINT32_MAX)
        return false;
    *number = (uint32_t)value->valuedouble;
    return *number == value->valuedouble;
}

bool report_json_has_only(const json_reader *r, const cJSON *object, const char *where, size_t n,
                          const char *const *keys)
{
    for (const cJSON *item = object->child; item; item = item->next) {
        bool known = false;
        for (size_t i = 0; i < n; i++)
            known |= strcmp(item->string, keys[i]) == 0;
        if (!known) {
            report_json_refuse(r, where, "the key `%s` is not known", item->string);
            return false;
        }
    }
    return true;
}

#include "lsp/json.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json/print.h"

/* ---- Section: Messages ---- */

/* The four digits of \uXXXX at `at`; -1: it is no such escape. */
static int escaped_unit(const char *at, const char *end)
{
    int unit = 0;
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
        return -1;
    for (int i = 2; i < 6; i++) {
        if (!isxdigit((unsigned char)at[i]))
            return -1;
        unit =
            unit * 16 + (isdigit((unsigned char)at[i]) ? at[i] - '0'
                                                       : tolower((unsigned char)at[i]) - 'a' + 10);
    }
    return unit;
}

static bool is_high(int unit)
{
    return unit >= 0xd800 && unit <= 0xdbff;
}

static bool is_low(int unit)
{
    return unit >= 0xdc00 && unit <= 0xdfff;
}

static void replace_bad_escapes(char *text, size_t length)
{
    const char *end = text + length;
    for (char *at = text; at < end; at++) {
        if (*at != '\\')
            continue;
        int unit = escaped_unit(at, end);
        if (is_high(unit) && is_low(escaped_unit(at + 6, end)))
            at += 11;
        else if (unit == 0)
            memcpy(at, "\\u0001", 6);
        else if (is_high(unit) || is_low(unit))
            memcpy(at, "\\ufffd", 6);
        else
            at++; /* with what it escapes */
    }
}

tr_give cJSON *lsp_json_parse(tr_arena *arena, const char *text, size_t length)
{
    if (memchr(text, '\0', length))
        return NULL;
    const char *clean = tr_utf8_clean(arena, text, &length);
    char *own = tr_arena_strndup(arena, clean, length);
    replace_bad_escapes(own, length);
    const char *end = NULL;
    cJSON *value = cJSON_ParseWithLengthOpts(own, length + 1, &end, true);
    return value;
}

/* ---- Section: Reading ---- */

const cJSON *lsp_json_at(const cJSON *object, const char *path)
{
    char name[64];
    while (object && *path) {
        size_t length = strcspn(path, ".");
        if (length >= sizeof name || !cJSON_IsObject(object))
            return NULL;
        memcpy(name, path, length);
        name[length] = '\0';
        object = cJSON_GetObjectItemCaseSensitive(object, name);
        path += length + (path[length] == '.');
    }
    return object;
}

const char *lsp_json_text_at(const cJSON *object, const char *path)
{
    return cJSON_GetStringValue(lsp_json_at(object, path));
}

bool lsp_json_true_at(const cJSON *object, const char *path)
{
    return cJSON_IsTrue(lsp_json_at(object, path));
}

bool lsp_json_number_at(const cJSON *object, const char *path, int64_t most, int64_t *number)
{
    const cJSON *item = lsp_json_at(object, path);
    if (!cJSON_IsNumber(item))
        return false;
    double value = item->valuedouble;
    if (!(value >= 0) || value > (double)most || floor(value) != value)
        return false;
    *number = (int64_t)value;
    return true;
}

bool lsp_json_position_at(const cJSON *object, const char *path, lsp_position *position)
{
    const cJSON *item = lsp_json_at(object, path);
    int64_t line, character;
    if (!lsp_json_number_at(item, "line", INT32_MAX, &line) ||
        !lsp_json_number_at(item, "character", INT32_MAX, &character))
        return false;
    *position = (lsp_position){(uint32_t)line, (uint32_t)character};
    return true;
}

bool lsp_json_range_at(const cJSON *object, const char *path, lsp_range *range)
{
    const cJSON *item = lsp_json_at(object, path);
    return lsp_json_position_at(item, "start", &range->start) &&
           lsp_json_position_at(item, "end", &range->end);
}

/* ---- Section: Making ---- */

static cJSON *made(cJSON *value)
{
    if (!value)
        tr_no_memory();
    return value;
}

cJSON *lsp_json_object(void)
{
    return made(cJSON_CreateObject());
}

cJSON *lsp_json_array(void)
{
    return made(cJSON_CreateArray());
}

cJSON *lsp_json_with(cJSON *object, const char *key, tr_take cJSON *value)
{
    if (!cJSON_AddItemToObject(object, key, made(value)))
        tr_no_memory();
    return object;
}

/* Text from sources, file names and other programs need not be UTF-8. */
cJSON *lsp_json_with_text(cJSON *object, const char *key, const char *text)
{
    tr_arena *arena = tr_arena_new();
    size_t length = strlen(text);
    const char *clean = tr_utf8_clean(arena, text, &length);
    lsp_json_with(object, key, cJSON_CreateString(clean));
    tr_arena_free(arena);
    return object;
}

cJSON *lsp_json_with_number(cJSON *object, const char *key, int64_t number)
{
    return lsp_json_with(object, key, cJSON_CreateNumber((double)number));
}

cJSON *lsp_json_with_bool(cJSON *object, const char *key, bool value)
{
    return lsp_json_with(object, key, cJSON_CreateBool(value));
}

static cJSON *position(lsp_position at)
{
    return lsp_json_with_number(lsp_json_with_number(lsp_json_object(), "line", at.line),
                                "character", at.character);
}

cJSON *lsp_json_range(lsp_range range)
{
    return lsp_json_with(lsp_json_with(lsp_json_object(), "start", position(range.start)), "end",
                         position(range.end));
}

void lsp_json_append(cJSON *array, tr_take cJSON *item)
{
    if (!cJSON_AddItemToArray(array, made(item)))
        tr_no_memory();
}

tr_give char *lsp_json_print(const cJSON *value)
{
    return json_printed(value, JSON_ONE_LINE);
}

#include "settings/kernels.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "json/print.h"
#include "settings/shown.h"

typedef struct reader {
    tr_arena *arena;
    const char *file;
    tr_errors *wrong;
} reader;

static tr_place place_at(const reader *r, uint32_t line, uint32_t column)
{
    return (tr_place){.file = r->file, .line = line, .column = column};
}

/* Letters, digits and what `others` has; nothing that could be more than a name or a type. */
static bool is_plain(const char *text, size_t length, const char *others)
{
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && !strchr(others, text[i]))
            return false;
    return length > 0 && memchr(text, 0, length) == NULL;
}

/* ---- Section: Reading ---- */

/* The value as JSON; NULL after an error. */
static const char *take_value(const reader *r, const toml_value *v)
{
    tr_place place = place_at(r, v->line, v->column);
    switch (v->kind) {
    case TOML_TEXT:
        if (is_plain(v->text, v->length, "[]_= "))
            return tr_arena_printf(r->arena, "\"%s\"", v->text);
        tr_errors_add_hint(r->wrong, &place,
                           "\"f32[2]\" is an array of two dimensions, \"i32\" a number, 128 a "
                           "constant.",
                           "'%s' is not a type of a parameter",
                           shown_text(r->arena, v->text, v->length));
        return NULL;
    case TOML_WHOLE:
        return tr_arena_printf(r->arena, "%" PRId64, v->whole);
    case TOML_TRUTH:
        return v->truth ? "true" : "false";
    default:
        tr_errors_add(r->wrong, &place,
                      "a parameter is a type in quotes, a whole number, true or false, not %s",
                      toml_kind_name(v->kind));
        return NULL;
    }
}

static void take_signature(const reader *r, setting_item *to, const toml_value *v)
{
    *to = (setting_item){.text = "", .place = place_at(r, v->line, v->column)};
    if (v->kind != TOML_TABLE) {
        tr_errors_add_hint(r->wrong, &to->place, "Such as { x = \"f32[1]\", TILE = 128 }.",
                           "a signature is a table of parameters, not %s", toml_kind_name(v->kind));
        return;
    }
    to->items = TR_NEW_ARRAY(r->arena, setting_item, v->n + 1);
    for (size_t i = 0; i < v->n; i++) {
        const toml_value *member = &v->items[i];
        tr_place place = place_at(r, member->key_line, member->key_column);
        const char *value = take_value(r, member);
        setting_item item = {.place = place, .n = 1};
        if (!is_plain(member->key, member->key_length, "_"))
            tr_errors_add(r->wrong, &place, "'%s' is not the name of a parameter",
                          shown_text(r->arena, member->key, member->key_length));
        else if (value) {
            item.text = tr_arena_strndup(r->arena, member->key, member->key_length);
            item.items = TR_NEW(r->arena, setting_item);
            item.items->text = value;
            to->items[to->n++] = item;
        }
    }
}

/* KERNEL or FILE:KERNEL, where the file is one below the configuration. */
static bool is_name_of_kernel(const toml_value *v)
{
    const char *colon = memrchr(v->key, ':', v->key_length);
    const char *name = colon ? colon + 1 : v->key;
    size_t length = v->key_length - (size_t)(name - v->key);
    if (!is_plain(name, length, "_") || memchr(v->key, 0, v->key_length))
        return false;
    for (const char *at = v->key; colon && at < colon; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            return false;
    return !colon || (colon > v->key && v->key[0] != '/' && !strstr(v->key, ".."));
}

static void take_kernel(const reader *r, setting *s, const toml_value *v)
{
    tr_place place = place_at(r, v->key_line, v->key_column);
    setting_item item = {.place = place};
    if (!is_name_of_kernel(v)) {
        tr_errors_add(r->wrong, &place,
                      "'%s' names no kernel: it is the name of a function, or FILE:FUNCTION with a "
                      "file below the folder of this file",
                      shown_text(r->arena, v->key, v->key_length));
        return;
    }
    const toml_value *first = v->kind == TOML_LIST ? v->items : v;
    item.text = tr_arena_strndup(r->arena, v->key, v->key_length);
    item.n = v->kind == TOML_LIST ? v->n : 1;
    item.items = TR_NEW_ARRAY(r->arena, setting_item, item.n + 1);
    for (size_t i = 0; i < item.n; i++)
        take_signature(r, &item.items[i], &first[i]);
    s->items[s->n++] = item;
}

void setting_kernels_take(tr_arena *arena, setting *s, const toml_value *table, const char *file,
                          tr_errors *wrong)
{
    const reader r = {arena, file, wrong};
    tr_place place = place_at(&r, table->line, table->column);
    if (table->kind != TOML_TABLE) {
        tr_errors_add(wrong, &place, "'kernels' is a table, not %s", toml_kind_name(table->kind));
        return;
    }
    s->items = TR_NEW_ARRAY(arena, setting_item, table->n + 1);
    for (size_t i = 0; i < table->n; i++)
        take_kernel(&r, s, &table->items[i]);
}

/* ---- Section: Writing ---- */

static void add_signature(tr_text *out, const setting_item *signature)
{
    tr_text_add(out, "{");
    for (size_t i = 0; i < signature->n; i++) /* JSON of these values is TOML, too */
        tr_text_addf(out, "%s %s = %s", i ? "," : "", signature->items[i].text,
                     signature->items[i].items[0].text);
    tr_text_add(out, signature->n ? " }" : "}");
}

void setting_kernels_add_words(tr_text *out, const setting *s)
{
    tr_text_add(out, s->n ? "{ " : "{}");
    for (size_t i = 0; i < s->n; i++) {
        const setting_item *kernel = &s->items[i];
        tr_text_addf(out, "%s\"", i ? ", " : "");
        for (const char *c = kernel->text; *c; c++)
            tr_text_addf(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
        tr_text_add(out, "\" = [");
        for (size_t k = 0; k < kernel->n; k++) {
            tr_text_add(out, k ? ", " : "");
            add_signature(out, &kernel->items[k]);
        }
        tr_text_add(out, "]");
    }
    tr_text_add(out, s->n ? " }" : "");
}

/* The name of the kernel where the key may be one of the file; else NULL. */
static const char *kernel_in(const char *key, const char *file)
{
    const char *colon = strrchr(key, ':');
    if (!colon)
        return key;
    size_t length = (size_t)(colon - key);
    bool is = file && strlen(file) == length && memcmp(file, key, length) == 0;
    return is ? colon + 1 : NULL;
}

const char *setting_kernels_json(tr_arena *arena, const setting *s, const char *name)
{
    cJSON *all = cJSON_CreateObject();
    for (size_t i = 0; i < s->n; i++) {
        const char *kernel = kernel_in(s->items[i].text, name);
        if (!kernel)
            continue;
        cJSON *list = cJSON_GetObjectItemCaseSensitive(all, kernel);
        if (!list)
            list = cJSON_AddArrayToObject(all, kernel);
        for (size_t k = 0; k < s->items[i].n; k++) {
            const setting_item *signature = &s->items[i].items[k];
            cJSON *of = cJSON_CreateObject();
            for (size_t p = 0; p < signature->n; p++)
                cJSON_AddRawToObject(of, signature->items[p].text,
                                     signature->items[p].items[0].text);
            cJSON_AddItemToArray(list, of);
        }
    }
    char *printed = json_printed(all, JSON_ONE_LINE);
    const char *kept = tr_arena_strdup(arena, printed);
    cJSON_free(printed);
    cJSON_Delete(all);
    return kept;
}

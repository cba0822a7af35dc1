#include "json/take.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"

/* ---- Section: The text ---- */

/* Is it an integer that is another one as a double, or a number that is none? */
static bool loses_digits(const char *number, size_t length)
{
    enum { ALWAYS_HELD = 15, MOST = 400 };
    char own[MOST + 1], held[MOST + 1];
    bool is_integer = strspn(number, "-0123456789") >= length;
    if (is_integer && length <= ALWAYS_HELD)
        return false;
    if (length > MOST) /* more than cJSON reads */
        return true;
    memcpy(own, number, length);
    own[length] = 0;
    double value = strtod(own, NULL);
    if (!is_integer || isinf(value))
        return isinf(value);
    snprintf(held, sizeof held, "%.0f", value);
    return strcmp(held, own) != 0;
}

typedef struct looking {
    const char *text;
    size_t length;
    json_digits digits;
    tr_text own;  /* what is parsed in its place, up to `done`; empty: the text itself */
    size_t done;  /* of the text */
    size_t added; /* bytes of `own` that are not in the text */
} looking;

/* A string of its digits, where a number stands that no double holds. */
static void quote(looking *l, size_t at, size_t length)
{
    tr_text_addn(&l->own, l->text + l->done, at - l->done);
    tr_text_addf(&l->own, "\"%.*s\"", (int)length, l->text + at);
    l->done = at + length;
    l->added += 2;
}

/* The number there: how many bytes. 0: it loses digits, which is a fault. */
static size_t look_at_number(looking *l, size_t at)
{
    size_t n = 1;
    while (at + n < l->length && l->text[at + n] && strchr("+-.eE0123456789", l->text[at + n]))
        n++;
    if (!loses_digits(l->text + at, n))
        return n;
    if (l->digits == JSON_ALL_DIGITS)
        return 0;
    quote(l, at, n);
    return n;
}

/* Looks for faults that cJSON would not see, outside of strings and in them; false, with *fault, if
 * there is one. */
static bool look(looking *l, json_fault *fault)
{
    static const char nul[] = "u0000";
    const char *text = l->text;
    bool in_string = false;
    for (size_t i = 0; i < l->length; i++) {
        *fault = (json_fault){JSON_HAS_NUL, i, NULL};
        if (text[i] == 0)
            return false;
        if (in_string && text[i] == '\\') {
            i++; /* what is escaped, which may be another backslash */
            if (l->length - i >= sizeof nul - 1 && strncmp(text + i, nul, sizeof nul - 1) == 0)
                return false;
        } else if (text[i] == '"') {
            in_string = !in_string;
        } else if (!in_string && (isdigit((unsigned char)text[i]) || text[i] == '-')) {
            size_t n = look_at_number(l, i);
            fault->kind = JSON_LOSES_DIGIT;
            if (n == 0)
                return false;
            i += n - 1;
        }
    }
    *fault = (json_fault){JSON_IS_GOOD, 0, NULL};
    if (l->done > 0)
        tr_text_addn(&l->own, text + l->done, l->length - l->done);
    return true;
}

/* ---- Section: The value ---- */

typedef struct seen_key { /* stb_ds map entry */
    char *key;
    bool value;
} seen_key;

/* Returns a key that an object has twice, as readers differ in which of the two they take. NULL:
 * there is none. */
static const char *key_twice(const cJSON *value)
{
    seen_key *seen = NULL;
    const char *twice = NULL;
    for (const cJSON *item = value->child; item && !twice; item = item->next) {
        if (item->string && shgeti(seen, item->string) >= 0)
            twice = item->string;
        else if (item->string)
            shput(seen, item->string, true);
    }
    shfree(seen);
    for (const cJSON *item = value->child; item && !twice; item = item->next)
        twice = item->child ? key_twice(item) : NULL;
    return twice;
}

static cJSON *parse(tr_arena *arena, const char *text, size_t length, json_fault *fault)
{
    const char *end = NULL;
    *fault = (json_fault){JSON_IS_GOOD, 0, NULL};
    cJSON *root = cJSON_ParseWithLengthOpts(text, length, &end, false);
    while (root && end < text + length && strchr(" \t\r\n", *end))
        end++;
    const char *twice = root && end == text + length ? key_twice(root) : NULL;
    if (!root || end != text + length)
        *fault = (json_fault){JSON_IS_NONE, end ? (size_t)(end - text) : 0, NULL};
    else if (twice)
        *fault = (json_fault){JSON_KEY_TWICE, 0, tr_arena_strdup(arena, twice)};
    if (fault->kind == JSON_IS_GOOD)
        return root;
    cJSON_Delete(root);
    return NULL;
}

tr_give cJSON *json_take(tr_arena *arena, const char *text, size_t length, json_digits digits,
                         json_fault *fault)
{
    json_fault own;
    looking l = {.text = text, .length = length, .digits = digits};
    cJSON *root = NULL;
    if (look(&l, &own) && l.done > 0)
        root = parse(arena, tr_text_get(&l.own), l.own.length, &own);
    else if (own.kind == JSON_IS_GOOD)
        root = parse(arena, text, length, &own);
    if (own.kind == JSON_IS_NONE)
        own.at -= own.at < l.added ? own.at : l.added;
    tr_text_free(&l.own);
    if (fault)
        *fault = own;
    return root;
}

const char *json_fault_text(tr_arena *arena, const json_fault *fault)
{
    switch (fault->kind) {
    case JSON_HAS_NUL:
        return "No string of JSON that is read here has a NUL in it.";
    case JSON_LOSES_DIGIT:
        return "This number is too large, or has too many digits, for a JSON number.";
    case JSON_KEY_TWICE:
        return tr_arena_printf(arena, "the key `%s` is there twice.", fault->key);
    case JSON_IS_NONE:
    case JSON_IS_GOOD:
        break;
    }
    return "This is not JSON from here on.";
}

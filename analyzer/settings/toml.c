#include "settings/toml.h"

#include <string.h>

#include "settings/toml_parse.h"

const char *toml_kind_name(toml_kind kind)
{
    static const char *const names[] = {
        [TOML_TEXT] = "a string",       [TOML_WHOLE] = "a whole number", [TOML_FLOAT] = "a float",
        [TOML_TRUTH] = "true or false", [TOML_TIME] = "a date or time",  [TOML_LIST] = "an array",
        [TOML_TABLE] = "a table"};
    return names[kind];
}

const toml_value *toml_member(const toml_value *table, const char *key)
{
    size_t length = strlen(key);
    for (size_t i = 0; i < table->n; i++)
        if (table->items[i].key_length == length && memcmp(table->items[i].key, key, length) == 0)
            return &table->items[i];
    return NULL;
}

/* ---- Section: Depth ----
 *
 * The parser recurses into brackets, and what it builds is torn down by recursion, as deep as keys
 * have parts. So both are counted first, by nothing but the characters outside strings and
 * comments; what the parser takes for something else ends in an error of its own. */

typedef struct scan {
    const char *text, *end;
} scan;

static bool has(const scan *s, const char *at, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(s->end - at) >= length && memcmp(at, word, length) == 0;
}

/* Returns the position behind the string that begins at `at`. */
static const char *behind_string(const scan *s, const char *at)
{
    char quote = *at;
    const char three[] = {quote, quote, quote, 0};
    bool is_long = has(s, at, three);
    at += is_long ? 3 : 1;
    while (at < s->end) {
        if (*at == '\\' && quote == '"')
            at++;
        else if (is_long && has(s, at, three))
            return at + 3;
        else if (!is_long && *at == quote)
            return at + 1;
        else if (!is_long && *at == '\n')
            return at;
        at++;
    }
    return s->end;
}

/* Returns where the text first is deeper than it may be; NULL: nowhere. */
static const char *too_deep(const char *text, size_t length)
{
    scan s = {text, text + length};
    size_t brackets = 0, parts = 0;
    for (const char *at = text; at < s.end;) {
        if (*at == '"' || *at == '\'') {
            at = behind_string(&s, at);
            continue;
        }
        if (*at == '#') {
            const char *line_end = memchr(at, '\n', (size_t)(s.end - at));
            at = line_end ? line_end : s.end;
            continue;
        }
        brackets += *at == '[' || *at == '{';
        brackets -= (*at == ']' || *at == '}') && brackets > 0;
        parts = memchr("[]{}=,\n", *at, 7) ? 0 : parts + (*at == '.');
        if (brackets > TOML_MOST_DEPTH || parts > TOML_MOST_DEPTH)
            return at;
        at++;
    }
    return NULL;
}

static tr_place place_of(const char *file, const char *text, const char *at)
{
    tr_place place = {.file = file, .line = 1, .column = 1};
    for (const char *c = text; c < at; c++) {
        place.line += *c == '\n';
        place.column = *c == '\n' ? 1 : place.column + 1;
    }
    return place;
}

const toml_value *toml_read(tr_arena *arena, const char *file, const char *text, size_t length,
                            tr_errors *errors)
{
    tr_place place = {.file = file};
    if (length > TOML_MOST_BYTES) {
        tr_errors_add(errors, &place, "is larger than %d KiB", TOML_MOST_BYTES >> 10);
        return NULL;
    }
    const char *deep = too_deep(text, length);
    if (deep) {
        place = place_of(file, text, deep);
        tr_errors_add(errors, &place, "nests deeper than %d levels", TOML_MOST_DEPTH);
        return NULL;
    }
    return toml_parse(arena, file, text, length, errors);
}

#include "json/print.h"

#include <stdio.h>
#include <string.h>

#define NO_CHARACTER "\xef\xbf\xbd"

enum { BEYOND_ASCII = 0x7f }; /* cJSON itself escapes the control characters below */

static void add_escape(tr_text *out, uint32_t code)
{
    enum { PLANE = 0x10000, HIGH = 0xd800, LOW = 0xdc00, LOW_BITS = 10, LOW_MASK = 0x3ff };
    if (code < PLANE) {
        tr_text_addf(out, "\\u%04x", (unsigned)code);
        return;
    }
    code -= PLANE;
    tr_text_addf(out, "\\u%04x\\u%04x", (unsigned)(HIGH + (code >> LOW_BITS)),
                 (unsigned)(LOW + (code & LOW_MASK)));
}

/* The next character of the text, or byte that is none (U+FFFD of size 1); *is_kept: it may be
 * printed as it is. */
static size_t next(const char *at, uint32_t *before, uint32_t *code, bool *is_kept)
{
    enum { LONGEST = 4 };
    size_t size = tr_utf8_next(at, strnlen(at, LONGEST), code);
    bool is_shown = tr_is_shown(before, *code);
    bool is_broken = *code == 0xfffd && size == 1;
    *is_kept = *code < BEYOND_ASCII || (is_shown && !is_broken);
    return size;
}

tr_give char *json_printed(const cJSON *value, json_layout layout)
{
    char *printed = layout == JSON_LINES ? cJSON_Print(value) : cJSON_PrintUnformatted(value);
    if (!printed)
        tr_no_memory();
    tr_text text = {0};
    uint32_t before = 0, code;
    bool is_kept;
    const char *from = printed;
    for (const char *at = printed; *at;) {
        size_t size = next(at, &before, &code, &is_kept);
        if (!is_kept) {
            tr_text_addn(&text, from, (size_t)(at - from));
            add_escape(&text, code); /* U+FFFD for what is not UTF-8 */
            from = at + size;
        }
        at += size;
    }
    if (from == printed)
        return printed;
    tr_text_add(&text, from);
    cJSON_free(printed);
    char *copy = cJSON_malloc(text.length + 1);
    if (!copy)
        tr_no_memory();
    memcpy(copy, tr_text_get(&text), text.length + 1);
    tr_text_free(&text);
    return copy;
}

/* The code of an escape of four digits, or of two that make one character; its length. 0: it is no
 * such escape. */
static size_t read_escape(const char *at, uint32_t *code)
{
    enum { LENGTH = 6, PLANE = 0x10000, HIGH = 0xd800, LOW = 0xdc00, LAST = 0xdfff, BITS = 10 };
    unsigned first, second;
    int read = 0;
    if (sscanf(at, "\\u%4x%n", &first, &read) != 1 || read != LENGTH)
        return 0;
    *code = first;
    if (first < HIGH || first >= LOW || sscanf(at + LENGTH, "\\u%4x%n", &second, &read) != 1 ||
        read != LENGTH || second < LOW || second > LAST)
        return LENGTH;
    *code = PLANE + ((first - HIGH) << BITS) + (second - LOW);
    return (size_t)2 * LENGTH;
}

/* Appends an escape of a string, and returns its length. Of the characters that cJSON writes so, an
 * end of a line and a tab are for people. */
static size_t add_to_page(tr_text *out, const char *escape)
{
    enum { SHORT = 2 };
    uint32_t before = 0, code;
    size_t length = read_escape(escape, &code);
    bool is_shown = length == 0 ? !strchr("bfr", escape[1]) : tr_is_shown(&before, code);
    if (length == 0)
        length = SHORT; /* JSON ends with no backslash */
    if (is_shown)
        tr_text_addn(out, escape, length);
    else
        tr_text_add(out, NO_CHARACTER);
    return length;
}

void json_add_to_page(tr_text *out, const char *json)
{
    uint32_t before = 0, code;
    bool is_kept;
    for (const char *at = json; *at;) {
        size_t size = next(at, &before, &code, &is_kept);
        if (code == '\\')
            size = add_to_page(out, at);
        else if (code == '<') /* "</script>" in a string would end the data */
            tr_text_add(out, "\\u003c");
        else if (!is_kept)
            tr_text_add(out, NO_CHARACTER);
        else
            tr_text_addn(out, at, size);
        at += size;
    }
}

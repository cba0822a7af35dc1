/* Text from outside as people see it. Whoever names a file, a kernel or a buffer does not move the
 * cursor of a terminal, begin a line of his own, or turn the direction in which one is read. */
#include <string.h>

#include "base/base.h"

#define NO_CHARACTER "\xef\xbf\xbd"

size_t tr_utf8_next(const char *s, size_t left, uint32_t *code)
{
    const unsigned char *u = (const unsigned char *)s;
    static const struct {
        unsigned char mask, lead, bits;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 0, 0},
                 {0xe0, 0xc0, 1, 0x80},
                 {0xf0, 0xe0, 2, 0x800},
                 {0xf8, 0xf0, 3, 0x10000}};
    for (size_t f = 0; f < TR_COUNT(forms); f++) {
        size_t size = (size_t)forms[f].bits + 1;
        if ((u[0] & forms[f].mask) != forms[f].lead || size > left)
            continue;
        uint32_t value = u[0] & (unsigned char)~forms[f].mask;
        bool good = true;
        for (size_t i = 1; i < size; i++) {
            good = good && (u[i] & 0xc0) == 0x80;
            value = value << 6 | (u[i] & 0x3f);
        }
        if (!good || value < forms[f].least || value > 0x10ffff ||
            (value >= 0xd800 && value <= 0xdfff))
            break;
        *code = value;
        return size;
    }
    *code = 0xfffd;
    return 1;
}

/* Bytes from there on that are UTF-8. */
static size_t well_formed(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length) {
        uint32_t code;
        size_t size = tr_utf8_next(text + at, length - at, &code);
        if (code == 0xfffd && size == 1)
            break;
        at += size;
    }
    return at;
}

const char *tr_utf8_clean(tr_arena *arena, const char *text, size_t *length)
{
    size_t good = well_formed(text, *length);
    if (good == *length)
        return text;
    tr_text clean = {0};
    for (size_t at = 0; at < *length; at += good) {
        good = well_formed(text + at, *length - at);
        tr_text_addn(&clean, text + at, good);
        if (good == 0)
            tr_text_add(&clean, NO_CHARACTER);
        good += good == 0;
    }
    const char *kept = tr_arena_strndup(arena, tr_text_get(&clean), clean.length);
    *length = clean.length;
    tr_text_free(&clean);
    return kept;
}

bool tr_is_shown(uint32_t code)
{
    bool is_control = (code < 0x20 && code != '\t') || (code >= 0x7f && code <= 0x9f);
    bool ends_line = code == 0x2028 || code == 0x2029;
    bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    return !is_control && !ends_line && !turns;
}

void tr_text_add_shown(tr_text *text, const char *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        uint32_t code;
        size_t size = tr_utf8_next(bytes + at, length - at, &code);
        bool is_broken = code == 0xfffd && size == 1;
        if (!is_broken && tr_is_shown(code))
            tr_text_addn(text, bytes + at, size);
        else
            tr_text_add(text, NO_CHARACTER);
        at += size;
    }
}

const char *tr_shown(tr_arena *arena, const char *text)
{
    size_t length = strlen(text);
    tr_text shown = {0};
    tr_text_add_shown(&shown, text, length);
    bool is_clean = shown.length == length && memcmp(tr_text_get(&shown), text, length) == 0;
    const char *copy = is_clean ? text : tr_arena_strdup(arena, tr_text_get(&shown));
    tr_text_free(&shown);
    return copy;
}

void tr_say(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tr_text text = {0}, shown = {0};
    tr_text_vaddf(&text, format, arguments);
    va_end(arguments);
    bool ends_line = tr_ends_in(format, "\n");
    tr_text_add_shown(&shown, tr_text_get(&text), text.length - ends_line);
    fprintf(stream, "%s%s", tr_text_get(&shown), ends_line ? "\n" : "");
    tr_text_free(&text);
    tr_text_free(&shown);
}

/* Text from outside as people see it. Whoever names a file, a kernel or a buffer does not move the
 * cursor of a terminal, begin a line of his own, turn the direction in which one is read, or hide
 * something from the eye. */
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

/* Characters that nobody may see as they are, in order. Past the control characters these are
 * Unicode's ends of lines, the marks that turn the direction of writing, and all that a font shows
 * as nothing (Default_Ignorable_Code_Point). */
static const struct {
    uint32_t from, to;
} hidden[] = {
    {0x0000, 0x0008}, {0x000a, 0x001f}, {0x007f, 0x009f},   {0x00ad, 0x00ad},   {0x034f, 0x034f},
    {0x061c, 0x061c}, {0x115f, 0x1160}, {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x200b, 0x200f},
    {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
    {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

/* Joins or shapes the character before it, as words of some scripts and pictures need. */
static bool is_joiner(uint32_t code)
{
    return code == 0x200c || code == 0x200d;
}

static bool selects_shape(uint32_t code)
{
    return code >= 0xfe00 && code <= 0xfe0f;
}

static bool is_hidden(uint32_t code)
{
    for (size_t i = 0; i < TR_COUNT(hidden) && hidden[i].from <= code; i++)
        if (code <= hidden[i].to)
            return true;
    return false;
}

bool tr_is_shown(uint32_t *before, uint32_t code)
{
    enum { ASCII = 0x80 };
    bool has_letter = *before >= ASCII && !is_joiner(*before);
    bool belongs = (is_joiner(code) && has_letter) ||
                   (selects_shape(code) && has_letter && !selects_shape(*before));
    bool is_shown = belongs || !is_hidden(code);
    *before = is_shown ? code : 0;
    return is_shown;
}

void tr_text_add_shown(tr_text *text, const char *bytes, size_t length)
{
    uint32_t before = 0;
    for (size_t at = 0; at < length;) {
        uint32_t code;
        size_t size = tr_utf8_next(bytes + at, length - at, &code);
        bool is_broken = code == 0xfffd && size == 1;
        if (tr_is_shown(&before, code) && !is_broken)
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

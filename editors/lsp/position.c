#include "lsp/position.h"

#include <string.h>

const char *lsp_encoding_name(lsp_encoding encoding)
{
    static const char *const names[] = {
#define ENCODING(id, name) name,
#include "lsp/encodings.def"
    };
    return names[encoding];
}

/* ---- Section: UTF-8 ---- */

/* Bytes of the sequence that begins there; 0: it is none, overlong, a surrogate or too large. */
static size_t sequence(const char *text, size_t left)
{
    const unsigned char *u = (const unsigned char *)text;
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t f = 0; f < TR_COUNT(forms); f++) {
        if ((u[0] & forms[f].mask) != forms[f].lead || f + 1 > left)
            continue;
        uint32_t code = u[0] & (unsigned char)~forms[f].mask;
        for (size_t i = 1; i <= f; i++) {
            if ((u[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (u[i] & 0x3f);
        }
        bool good = code >= forms[f].least && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
        return good ? f + 1 : 0;
    }
    return 0;
}

const char *lsp_clean_text(tr_arena *arena, const char *text, size_t *length)
{
    static const char stand_in[] = "\xef\xbf\xbd"; /* U+FFFD */
    size_t n = 0, size;
    for (size_t at = 0; at < *length; at += size ? size : 1)
        n += (size = sequence(text + at, *length - at)) ? size : strlen(stand_in);
    if (n == *length)
        return text;
    char *clean = tr_arena_alloc(arena, n + 1), *to = clean;
    for (size_t at = 0; at < *length; at += size ? size : 1) {
        size = sequence(text + at, *length - at);
        to = (char *)mempcpy(to, size ? text + at : stand_in, size ? size : strlen(stand_in));
    }
    *length = n;
    return clean;
}

/* ---- Section: Lines ---- */

static bool ends_line(char c)
{
    return c == '\n' || c == '\r';
}

static size_t line_end(const char *text, size_t length, size_t at)
{
    while (at < length && !ends_line(text[at]))
        at++;
    return at;
}

bool lsp_find_line(const char *text, size_t length, uint32_t line, size_t *start, size_t *end)
{
    size_t at = 0;
    for (; line > 0; line--) {
        at = line_end(text, length, at);
        if (at == length)
            return false;
        at += text[at] == '\r' && at + 1 < length && text[at + 1] == '\n' ? 2 : 1;
    }
    *start = at;
    *end = line_end(text, length, at);
    return true;
}

/* ---- Section: Characters ---- */

/* Bytes and units of the character there; what is no UTF-8 counts byte by byte. */
static size_t step(const char *text, size_t left, lsp_encoding encoding, uint32_t *units)
{
    size_t bytes = sequence(text, left);
    bytes = bytes ? bytes : 1;
    *units = encoding == LSP_UTF8 ? (uint32_t)bytes : bytes == 4 ? 2 : 1;
    return bytes;
}

bool lsp_offset_of(const char *text, size_t length, lsp_encoding encoding, lsp_position position,
                   size_t *offset)
{
    size_t at, end;
    if (!lsp_find_line(text, length, position.line, &at, &end))
        return false;
    for (uint32_t left = position.character, units; at < end && left > 0; left -= units) {
        size_t bytes = step(text + at, end - at, encoding, &units);
        if (units > left)
            break; /* inside a character: its beginning */
        at += bytes;
    }
    *offset = at;
    return true;
}

lsp_position lsp_position_at(const char *text, size_t length, lsp_encoding encoding, uint32_t line,
                             uint32_t column)
{
    lsp_position position = {line > 0 ? line - 1 : 0, 0};
    size_t start, end;
    if (!lsp_find_line(text, length, position.line, &start, &end))
        return position;
    size_t to = start + (column > 0 ? column - 1 : 0);
    for (size_t at = start; at < end && at < to;) {
        uint32_t units;
        at += step(text + at, end - at, encoding, &units);
        position.character += units;
    }
    return position;
}

/* ---- Section: Ranges ---- */

bool lsp_is_before(lsp_position a, lsp_position b)
{
    return a.line != b.line ? a.line < b.line : a.character < b.character;
}

bool lsp_ranges_meet(lsp_range a, lsp_range b)
{
    return !lsp_is_before(a.end, b.start) && !lsp_is_before(b.end, a.start);
}

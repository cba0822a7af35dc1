#include "lsp/position.h"

const char *lsp_encoding_name(lsp_encoding encoding)
{
    static const char *const names[] = {
#define ENCODING(id, name) name,
#include "lsp/encodings.def"
    };
    return names[encoding];
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

/* Bytes and units of the character there; what is not UTF-8 counts byte by byte. */
static size_t step(const char *text, size_t left, lsp_encoding encoding, uint32_t *units)
{
    uint32_t code;
    size_t bytes = tr_utf8_next(text, left, &code);
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

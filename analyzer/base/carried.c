#include "base/carried.h"

#include <string.h>

__extension__ typedef unsigned __int128 size_wide;

static const char digits[] = "0123456789abcdef";

/* "-1f " */
void tr_carry_number(tr_text *out, tr_wide number)
{
    char text[40];
    size_t at = sizeof text;
    size_wide size = number < 0 ? 0 - (size_wide)number : (size_wide)number;
    text[--at] = ' ';
    do {
        text[--at] = digits[size & 15];
        size >>= 4;
    } while (size > 0);
    if (number < 0)
        text[--at] = '-';
    tr_text_addn(out, text + at, sizeof text - at);
}

void tr_carry_text(tr_text *out, const char *text)
{
    tr_carry_number(out, text ? (tr_wide)strlen(text) : -1);
    if (text)
        tr_text_add(out, text);
}

void tr_carry_bytes(tr_text *out, const void *bytes, size_t length)
{
    const unsigned char *from = bytes;
    char piece[1024];
    tr_carry_number(out, (tr_wide)length);
    for (size_t i = 0; i < length;) {
        size_t n = 0;
        for (; n < sizeof piece && i < length; i++) {
            piece[n++] = digits[from[i] >> 4];
            piece[n++] = digits[from[i] & 15];
        }
        tr_text_addn(out, piece, n);
    }
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static tr_wide fail(tr_carried *c)
{
    c->good = false;
    return 0;
}

tr_wide tr_carried_number(tr_carried *c)
{
    enum { MOST_DIGITS = 32 };
    size_wide size = 0;
    bool is_negative = c->good && c->at < c->end && *c->at == '-';
    c->at += is_negative;
    const char *first = c->at;
    while (c->good && c->at < c->end && c->at - first < MOST_DIGITS && digit(*c->at) >= 0)
        size = size << 4 | (unsigned)digit(*c->at++);
    if (!c->good || c->at == first || c->at >= c->end || *c->at != ' ')
        return fail(c);
    c->at++;
    return is_negative ? (tr_wide)(0 - size) : (tr_wide)size;
}

size_t tr_carried_count(tr_carried *c, size_t most)
{
    tr_wide number = tr_carried_number(c);
    return number < 0 || number > (tr_wide)most ? (size_t)fail(c) : (size_t)number;
}

const char *tr_carried_text(tr_carried *c)
{
    tr_wide length = tr_carried_number(c);
    if (!c->good || length < 0)
        return NULL;
    if (length > c->end - c->at || memchr(c->at, 0, (size_t)length)) {
        fail(c);
        return NULL;
    }
    const char *text = tr_arena_strndup(c->arena, c->at, (size_t)length);
    c->at += length;
    return text;
}

const char *tr_carried_bytes(tr_carried *c, size_t *length)
{
    *length = tr_carried_count(c, (size_t)(c->end - c->at) / 2);
    unsigned char *bytes = TR_NEW_ARRAY(c->arena, unsigned char, *length + 1);
    if (!c->good || *length > (size_t)(c->end - c->at) / 2)
        *length = (size_t)fail(c);
    for (size_t i = 0; i < *length && c->good; i++, c->at += 2) {
        int high = digit(c->at[0]), low = digit(c->at[1]);
        if (high < 0 || low < 0)
            *length = (size_t)fail(c);
        else
            bytes[i] = (unsigned char)(high << 4 | low);
    }
    return (const char *)bytes;
}

#include "settings/shown.h"

#include <string.h>

const char *shown_text(tr_arena *arena, const char *text, size_t length)
{
    enum { MOST = 80 };
    tr_text shown = {0};
    bool cut = length > MOST;
    for (size_t i = 0; i < (cut ? MOST : length); i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < ' ' || c == 0x7f || (c >= 0x80 && c < 0xa0 && i > 0 && text[i - 1] == '\xc2'))
            tr_text_addf(&shown, "\\x%02x", c);
        else
            tr_text_addn(&shown, &text[i], 1);
    }
    while (cut && shown.length > 0 && (shown.data[shown.length - 1] & 0xc0) == 0x80)
        shown.data[--shown.length] = 0; /* the parts of a character that is cut */
    tr_text_add(&shown, cut ? "..." : "");
    const char *kept = tr_arena_strdup(arena, tr_text_get(&shown));
    tr_text_free(&shown);
    return kept;
}

void shown_add_lines(tr_text *text, const char *bytes, size_t length)
{
    for (const char *end = bytes + length; bytes < end;) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
        tr_text_add_shown(text, bytes, (size_t)((stop ? stop : end) - bytes));
        tr_text_add(text, stop ? "\n" : "");
        bytes = stop ? stop + 1 : end;
    }
}

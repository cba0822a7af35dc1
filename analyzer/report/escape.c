/* Text from outside (names of files and kernels, messages) as text of the languages that reports
 * are written in, one function for each language. What is no UTF-8, and control characters that a
 * language has no place for, become U+FFFD. */
#include "report/report_private.h"

#include <string.h>

#define NO_CHARACTER "\xef\xbf\xbd"

typedef struct character {
    const char *bytes;
    size_t size;
    uint32_t code;
} character;

/* The next character of the text; false at its end. */
static bool next(const char **text, character *c)
{
    enum { LONGEST = 4 };
    if (!**text)
        return false;
    c->bytes = *text;
    c->size = tr_utf8_next(*text, strnlen(*text, LONGEST), &c->code);
    *text += c->size;
    if (c->code == 0xfffd && c->size == 1)
        *c = (character){NO_CHARACTER, strlen(NO_CHARACTER), 0xfffd};
    return true;
}

void escape_xml(tr_text *out, const char *text, bool attribute)
{
    static const char *const names[] = {
        ['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;", ['\r'] = "&#13;"};
    for (character c; next(&text, &c);) {
        bool is_blank = c.code == '\n' || c.code == '\t';
        if (c.code < TR_COUNT(names) && names[c.code])
            tr_text_add(out, names[c.code]);
        else if (is_blank && attribute) /* a reader would make a space of it */
            tr_text_addf(out, "&#%u;", (unsigned)c.code);
        else if ((!tr_is_shown(c.code) && !is_blank) || c.code == 0xfffe || c.code == 0xffff)
            tr_text_add(out, NO_CHARACTER);
        else
            tr_text_addn(out, c.bytes, c.size);
    }
}

void escape_markdown(tr_text *out, const char *text)
{
    static const char special[] = "\\`*_{}[]#|~!$@";
    for (character c; next(&text, &c);) {
        if (c.code == '\n' || c.code == '\t' || c.code == '\r')
            tr_text_add(out, " "); /* a row of a table is one line */
        else if (c.code == '&' || c.code == '<' || c.code == '>')
            tr_text_add(out, c.code == '&' ? "&amp;" : c.code == '<' ? "&lt;" : "&gt;");
        else if (!tr_is_shown(c.code))
            tr_text_add(out, NO_CHARACTER);
        else if (c.size == 1 && strchr(special, (int)c.code))
            tr_text_addf(out, "\\%c", (int)c.code);
        else
            tr_text_addn(out, c.bytes, c.size);
    }
}

void escape_command(tr_text *out, const char *text, bool property)
{
    for (character c; next(&text, &c);) {
        bool is_own = c.code == '%' || c.code == '\r' || c.code == '\n' ||
                      (property && (c.code == ':' || c.code == ','));
        if (is_own)
            tr_text_addf(out, "%%%02X", (unsigned)c.code);
        else if (!tr_is_shown(c.code))
            tr_text_add(out, NO_CHARACTER);
        else
            tr_text_addn(out, c.bytes, c.size);
    }
}

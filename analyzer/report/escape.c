/* Text from outside (names of files and kernels, messages) as text of the languages that reports
 * are written in, one function for each language. What is not UTF-8, and what tr_is_shown excludes
 * and a language has no place for, become U+FFFD. JSON, which is data, is written by
 * json/print.c. */
#include "report/report_private.h"

#include <string.h>

#define NO_CHARACTER "\xef\xbf\xbd"

typedef struct character {
    const char *bytes;
    size_t size;
    uint32_t code;
    uint32_t before; /* for tr_is_shown */
    bool is_shown;
} character;

/* The next character of the text; false at its end. The first time *c is zero. */
static bool next(const char **text, character *c)
{
    enum { LONGEST = 4 };
    if (!**text)
        return false;
    c->bytes = *text;
    c->size = tr_utf8_next(*text, strnlen(*text, LONGEST), &c->code);
    *text += c->size;
    c->is_shown = tr_is_shown(&c->before, c->code);
    if (c->code == 0xfffd && c->size == 1) {
        c->bytes = NO_CHARACTER;
        c->size = strlen(NO_CHARACTER);
    }
    return true;
}

void escape_xml(tr_text *out, const char *text, bool attribute)
{
    static const char *const names[] = {
        ['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;", ['\r'] = "&#13;"};
    for (character c = {0}; next(&text, &c);) {
        bool is_blank = c.code == '\n' || c.code == '\t';
        if (c.code < TR_COUNT(names) && names[c.code])
            tr_text_add(out, names[c.code]);
        else if (is_blank && attribute) /* a reader would make a space of it */
            tr_text_addf(out, "&#%u;", (unsigned)c.code);
        else if ((!c.is_shown && !is_blank) || c.code == 0xfffe || c.code == 0xffff)
            tr_text_add(out, NO_CHARACTER);
        else
            tr_text_addn(out, c.bytes, c.size);
    }
}

void escape_markdown(tr_text *out, const char *text)
{
    static const char special[] = "\\`*_{}[]#|~!$@";
    for (character c = {0}; next(&text, &c);) {
        if (c.code == '\n' || c.code == '\t' || c.code == '\r')
            tr_text_add(out, " "); /* a row of a table is one line */
        else if (c.code == '&' || c.code == '<' || c.code == '>')
            tr_text_add(out, c.code == '&' ? "&amp;" : c.code == '<' ? "&lt;" : "&gt;");
        else if (!c.is_shown)
            tr_text_add(out, NO_CHARACTER);
        else if (c.size == 1 && strchr(special, (int)c.code))
            tr_text_addf(out, "\\%c", (int)c.code);
        else
            tr_text_addn(out, c.bytes, c.size);
    }
}

void escape_command(tr_text *out, const char *text, bool property)
{
    for (character c = {0}; next(&text, &c);) {
        bool is_own = c.code == '%' || c.code == '\r' || c.code == '\n' ||
                      (property && (c.code == ':' || c.code == ','));
        if (is_own)
            tr_text_addf(out, "%%%02X", (unsigned)c.code);
        else if (!c.is_shown)
            tr_text_add(out, NO_CHARACTER);
        else
            tr_text_addn(out, c.bytes, c.size);
    }
}

/* "](" makes a link; one to a number leads to a place that the result itself names. */
static bool leads_away(const char *behind_bracket)
{
    if (*behind_bracket != '(')
        return false;
    size_t digits = strspn(behind_bracket + 1, "0123456789");
    return digits == 0 || behind_bracket[1 + digits] != ')';
}

void escape_sarif(tr_text *out, const char *text)
{
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, "\n]");
        bool closes = at[length] == ']';
        tr_text_add_shown(out, at, length + closes);
        at += length + closes;
        if (closes && leads_away(at))
            tr_text_add(out, " ");
        if (!closes && *at == '\n') {
            tr_text_add(out, "\n");
            at++;
        }
    }
}

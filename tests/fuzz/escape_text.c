/* Fuzz target: text from outside in the languages that reports are written in. Whatever it is, what
 * comes out is UTF-8 without control characters and without characters that nobody sees, says
 * nothing in its language but text, and read back by the rules of that language it is the text that
 * went in, with U+FFFD for what may not be shown; data in JSON is the text itself. The rules are
 * written down here once more, without the functions that are tried. */
#include "json/print.h"
#include "report/report_private.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition, what, text)                                                               \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s: %s\n", what, text);                                               \
            abort();                                                                               \
        }                                                                                          \
    } while (0)
#define NO_CHARACTER "\xef\xbf\xbd"

/* ---- Section: What text is, written down again ---- */

/* Bytes of the well-formed UTF-8 character at `u` by the table of the standard; 0: there is none.
 */
static size_t well_formed(const unsigned char *u)
{
    static const struct {
        unsigned char from, to, second_from, second_to;
        size_t size;
    } rows[] = {
        {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        if (u[0] < rows[i].from || u[0] > rows[i].to)
            continue;
        if (rows[i].size > 1 && (u[1] < rows[i].second_from || u[1] > rows[i].second_to))
            return 0;
        for (size_t k = 2; k < rows[i].size; k++)
            if (u[k] < 0x80 || u[k] > 0xbf)
                return 0;
        return rows[i].size;
    }
    return 0;
}

static unsigned long code_of(const unsigned char *u, size_t size)
{
    unsigned long code = size == 1 ? u[0] : u[0] & (0xffu >> (size + 1));
    for (size_t k = 1; k < size; k++)
        code = code * 64 + u[k] - 0x80;
    return code;
}

/* Joins, or selects a shape of, the character before it. */
static bool is_joiner(unsigned long code)
{
    return code == 0x200c || code == 0x200d;
}

static bool selects(unsigned long code)
{
    return code >> 4 == 0xfe0;
}

/* By Unicode's properties: Cc, Zl, Zp, Bidi_Control, Default_Ignorable_Code_Point, and the marks of
 * interlinear annotations. */
static bool is_never_shown(unsigned long code)
{
    static const unsigned long single[] = {0x7f,   0xad,   0x34f,  0x61c,  0x115f, 0x1160, 0x17b4,
                                           0x17b5, 0x3164, 0xfeff, 0xffa0, 0x2028, 0x2029};
    for (size_t i = 0; i < TR_COUNT(single); i++)
        if (code == single[i])
            return true;
    return code < 0x20 || (code >= 0x80 && code <= 0x9f) || (code >= 0x180b && code <= 0x180f) ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || selects(code) ||
           (code >= 0xfff0 && code <= 0xfffb) || (code >= 0x1bca0 && code <= 0x1bca3) ||
           (code >= 0x1d173 && code <= 0x1d17a) || code >> 12 == 0xe0;
}

/* Whether the character may stand behind the one before it, which is 0 at the start and behind one
 * that may not; `kept` are control characters that may stand all the same. */
static bool may_stand(unsigned long before, unsigned long code, const char *kept)
{
    if (code < 0x80 && code != 0 && strchr(kept, (int)code))
        return true;
    if (is_joiner(code))
        return before >= 0x80 && !is_joiner(before);
    if (selects(code))
        return before >= 0x80 && !is_joiner(before) && !selects(before);
    return !is_never_shown(code);
}

/* The text as it may be shown; no character of XML: U+FFFE and U+FFFF. */
static void clean(tr_text *out, const char *text, const char *kept, bool xml)
{
    unsigned long before = 0;
    for (const unsigned char *u = (const unsigned char *)text; *u;) {
        size_t size = well_formed(u);
        unsigned long code = size ? code_of(u, size) : 0xfffd;
        bool stands = may_stand(before, code, kept);
        bool none = size == 0 || !stands || (xml && (code == 0xfffe || code == 0xffff));
        before = stands && !(code < 0x20 && code != '\t') ? code : 0;
        if (none)
            tr_text_add(out, NO_CHARACTER);
        else
            tr_text_addn(out, (const char *)u, size);
        u += size ? size : 1;
    }
}

static void check_shown(const tr_text *out, const char *kept, const char *what)
{
    const char *text = tr_text_get(out);
    unsigned long before = 0;
    for (const unsigned char *u = (const unsigned char *)text; *u;) {
        size_t size = well_formed(u);
        CHECK(size > 0 && may_stand(before, code_of(u, size), kept), what, text);
        before = code_of(u, size);
        u += size;
    }
    CHECK(strlen(text) == out->length, what, text);
}

static void check_same(const tr_text *back, const char *text, const char *kept, bool xml,
                       const char *what)
{
    tr_text expected = {0};
    clean(&expected, text, kept, xml);
    CHECK(strcmp(tr_text_get(&expected), tr_text_get(back)) == 0, what, tr_text_get(back));
    tr_text_free(&expected);
}

/* ---- Section: Each language ---- */

static void try_terminal(const char *text)
{
    tr_text out = {0};
    tr_text_add_shown(&out, text, strlen(text));
    check_shown(&out, "\t", "terminal");
    check_same(&out, text, "\t", false, "terminal, read back");
    tr_text_free(&out);
}

/* What stands for `&...;` there; its length in *length. */
static char entity(const char *at, size_t *length)
{
    static const struct {
        const char *name;
        char stands_for;
    } names[] = {{"&lt;", '<'},   {"&gt;", '>'},   {"&amp;", '&'}, {"&quot;", '"'},
                 {"&#13;", '\r'}, {"&#10;", '\n'}, {"&#9;", '\t'}};
    for (size_t i = 0; i < TR_COUNT(names); i++) {
        *length = strlen(names[i].name);
        if (strncmp(at, names[i].name, *length) == 0)
            return names[i].stands_for;
    }
    return 0;
}

static void try_xml(const char *text, bool attribute)
{
    tr_text out = {0}, back = {0};
    escape_xml(&out, text, attribute);
    check_shown(&out, attribute ? "" : "\n\t", "XML");
    const char *written = tr_text_get(&out);
    for (const char *at = written; *at;) {
        size_t length = 1;
        char c = *at == '&' ? entity(at, &length) : *at;
        CHECK(c && !(length == 1 && strchr("<>\"&", c)), "XML with markup of its own", written);
        tr_text_addn(&back, &c, 1);
        at += length;
    }
    check_same(&back, text, "\n\t\r", true, "XML, read back");
    tr_text_free(&out);
    tr_text_free(&back);
}

static void try_markdown(const char *text)
{
    static const char marks[] = "\\`*_{}[]#|~!$@";
    tr_text out = {0}, back = {0}, line = {0};
    escape_markdown(&out, text);
    check_shown(&out, "", "Markdown");
    const char *written = tr_text_get(&out);
    for (const char *at = written; *at;) {
        size_t length = 1;
        char c = *at == '&' ? entity(at, &length) : *at;
        if (*at == '\\')
            c = at[length++];
        CHECK(c && !(length == 1 && (strchr(marks, c) || strchr("<>&", c))),
              "Markdown with marks of its own", written);
        tr_text_addn(&back, &c, 1);
        at += length;
    }
    tr_text_add(&line, text); /* on one line */
    for (size_t i = 0; i < line.length; i++)
        if (strchr("\n\t\r", line.data[i]))
            line.data[i] = ' ';
    check_same(&back, tr_text_get(&line), "", false, "Markdown, read back");
    tr_text_free(&out);
    tr_text_free(&back);
    tr_text_free(&line);
}

static void try_command(const char *text, bool property)
{
    tr_text out = {0}, back = {0};
    escape_command(&out, text, property);
    check_shown(&out, "\t", "workflow command");
    const char *written = tr_text_get(&out);
    for (const char *at = written; *at; at++) {
        unsigned value = (unsigned char)*at;
        if (*at == '%') {
            CHECK(sscanf(at, "%%%2X", &value) == 1, "workflow command", written);
            at += 2;
        } else {
            CHECK(!property || !strchr(":,", *at), "a second property", written);
        }
        tr_text_addn(&back, &(char){(char)value}, 1);
    }
    CHECK(!property || !strstr(written, "::"), "a second command", written);
    check_same(&back, text, "\n\t\r", false, "workflow command, read back");
    tr_text_free(&out);
    tr_text_free(&back);
}

/* A message of SARIF: what may be shown, with a blank where a link would be, but for one to a
 * number. */
static void try_sarif(const char *text)
{
    tr_text out = {0}, plain = {0};
    escape_sarif(&out, text);
    check_shown(&out, "\n\t", "SARIF");
    for (const char *at = text; *at; at++) {
        unsigned long number;
        char digit[2], end;
        bool is_own = sscanf(at, "](%1[0-9]", digit) == 1 &&
                      sscanf(at, "](%lu%c", &number, &end) == 2 && end == ')';
        tr_text_add(&plain, at[0] == ']' && at[1] == '(' && !is_own ? "] " : (char[]){*at, 0});
    }
    check_same(&out, tr_text_get(&plain), "\n\t", false, "SARIF, read back");
    tr_text_free(&out);
    tr_text_free(&plain);
}

/* JSON: data, in which a name is what it is, where it is UTF-8. What is printed shows none of what
 * may not be shown. */
static void try_json(tr_arena *arena, const char *text)
{
    writer w = {.arena = arena};
    cJSON *item = report_json_text(&w, text);
    char *written = json_printed(item, JSON_ONE_LINE);
    const char *value = cJSON_GetStringValue(item);
    check_shown(&(const tr_text){.data = written, .length = strlen(written)}, "", "JSON");
    cJSON *again = cJSON_Parse(written);
    const char *back = cJSON_GetStringValue(again);
    CHECK(back && strcmp(back, value) == 0, "JSON, read back", written);
    cJSON_free(written);
    cJSON_Delete(again);
    cJSON_Delete(item);
}

/* JSON for the script of a page: what the script reads may be shown. */
static void try_page(tr_arena *arena, const char *text)
{
    writer w = {.arena = arena};
    cJSON *item = report_json_text(&w, text);
    char *written[] = {cJSON_PrintUnformatted(item), json_printed(item, JSON_ONE_LINE)};
    for (size_t i = 0; i < TR_COUNT(written); i++) {
        tr_text out = {0};
        json_add_to_page(&out, written[i]);
        check_shown(&out, "", "page");
        CHECK(!strchr(tr_text_get(&out), '<'), "markup in a page", tr_text_get(&out));
        cJSON *again = cJSON_Parse(tr_text_get(&out));
        const char *back = cJSON_GetStringValue(again);
        CHECK(back, "page", tr_text_get(&out));
        tr_text read = {0};
        tr_text_add(&read, back);
        check_same(&read, text, "\n\t", false, "page, read back");
        tr_text_free(&read);
        tr_text_free(&out);
        cJSON_Delete(again);
        cJSON_free(written[i]);
    }
    cJSON_Delete(item);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tr_arena *arena = tr_arena_new();
    const char *text = tr_arena_strndup(arena, (const char *)data, size);
    try_terminal(text);
    try_xml(text, false);
    try_xml(text, true);
    try_markdown(text);
    try_command(text, false);
    try_command(text, true);
    try_sarif(text);
    try_json(arena, text);
    try_page(arena, text);
    tr_arena_free(arena);
    return 0;
}

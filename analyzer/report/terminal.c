/* Text for terminals: names from outside move no cursor, and links where the terminal has them. */
#include "report/report_private.h"

#include <string.h>

#define NO_CHARACTER "\xef\xbf\xbd"

/* The next character's bytes; *obeyed: a terminal would obey it instead of printing it. */
static size_t next(const char *text, size_t left, bool *obeyed)
{
    unsigned char c = (unsigned char)text[0];
    uint32_t code;
    size_t size = utf8_next(text, left, &code);
    if (c < 0x80)
        *obeyed = (c < 0x20 && c != '\t') || c == 0x7f;
    else if (size == 1) /* no UTF-8: bytes up to 0x9f are controls where a terminal reads bytes */
        *obeyed = c <= 0x9f;
    else /* controls, line ends of Unicode, marks that turn the direction of what stands around */
        *obeyed = code <= 0x9f || code == 0x2028 || code == 0x2029 ||
                  (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    return size;
}

void add_printable(tr_text *out, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        bool obeyed;
        size_t size = next(text + at, length - at, &obeyed);
        if (obeyed)
            tr_text_add(out, NO_CHARACTER);
        else
            tr_text_addn(out, text + at, size);
        at += size;
    }
}

const char *printable(tr_arena *arena, const char *text)
{
    tr_text clean = {0};
    add_printable(&clean, text, strlen(text));
    const char *kept =
        strcmp(tr_text_get(&clean), text) == 0 ? text : tr_arena_strdup(arena, tr_text_get(&clean));
    tr_text_free(&clean);
    return kept;
}

/* ---- Links: OSC 8 ---- */

static bool stands_for_itself(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("/-._~", c));
}

static void add_address(tr_text *out, const char *path)
{
    for (; *path; path++)
        if (stands_for_itself((unsigned char)*path))
            tr_text_addn(out, path, 1);
        else
            tr_text_addf(out, "%%%02X", (unsigned)(unsigned char)*path);
}

/* The file's, which names the machine: the terminal may show a program of another one. */
static void begin_file(writer *w, const char *file)
{
    tr_text_add(w->out, "\033]8;;file://");
    add_address(w->out, w->options->host ? w->options->host : "");
    if (file[0] != '/') {
        add_address(w->out, w->options->folder ? w->options->folder : "");
        tr_text_add(w->out, "/");
    }
    add_address(w->out, file);
    tr_text_add(w->out, "\033\\");
}

static void end(writer *w)
{
    tr_text_add(w->out, "\033]8;;\033\\");
}

void write_file_link(writer *w, const char *file, paint color, const char *text)
{
    bool links = w->options && w->options->links && file && file[0];
    if (links)
        begin_file(w, file);
    write_painted(w, color, text);
    if (links)
        end(w);
}

void write_rule_link(writer *w, const char *code)
{
    bool links = w->options && w->options->links;
    if (links)
        tr_text_addf(w->out, "\033]8;;" REPORT_PAGES "%s.md\033\\", code);
    tr_text_add(w->out, code);
    if (links)
        end(w);
}

/* Text as a terminal is given it: without what would command it; with colours and links, where it
 * has them. */
#include "report/report_private.h"

#include <string.h>

static const char *const paints[] = {
    [PAINT_PLACE] = "\033[1m",   [PAINT_ERROR] = "\033[1;31m", [PAINT_WARNING] = "\033[1;35m",
    [PAINT_NOTE] = "\033[1;36m", [PAINT_CARET] = "\033[1;32m", [PAINT_GOOD] = "\033[1;32m"};

void write_painted(writer *w, paint color, const char *text)
{
    bool on = w->options && w->options->color;
    tr_text_add(w->out, on ? paints[color] : "");
    tr_text_add_shown(w->out, text, strlen(text));
    tr_text_add(w->out, on ? "\033[0m" : "");
}

void write_said(writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tr_text text = {0};
    tr_text_vaddf(&text, format, arguments);
    va_end(arguments);
    bool ends_line = tr_ends_in(format, "\n");
    tr_text_add_shown(w->out, tr_text_get(&text), text.length - ends_line);
    tr_text_add(w->out, ends_line ? "\n" : "");
    tr_text_free(&text);
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

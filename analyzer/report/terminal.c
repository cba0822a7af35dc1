/* Links, where the terminal has them. */
#include "report/report_private.h"

#include <string.h>

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

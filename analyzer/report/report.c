/* The formats, and a report written in one of them. */
#include "report/report_private.h"

#include <string.h>

typedef struct format_row {
    const char *name, *about;
    report_reach reach;
    void (*write)(writer *w);
} format_row;

static const format_row formats[] = {
#define FORMAT(id, name, writer, by, about) {name, about, REPORT_OF_##by, writer},
#include "report/formats.def"
};

const char *report_format_name(report_format format)
{
    return formats[format].name;
}

const char *report_format_about(report_format format)
{
    return formats[format].about;
}

bool report_format_by_name(const char *name, report_format *format)
{
    for (size_t i = 0; i < TR_COUNT(formats); i++) {
        if (strcmp(formats[i].name, name) == 0) {
            *format = (report_format)i;
            return true;
        }
    }
    return false;
}

bool report_format_serves(report_format format, report_reach reach)
{
    return formats[format].reach >= reach;
}

bool report_format_of(report_reach reach, const char *name, report_format *format)
{
    *format = REPORT_TEXT;
    return !name || (report_format_by_name(name, format) && report_format_serves(*format, reach));
}

const char *report_format_names(tr_arena *arena, report_reach reach)
{
    size_t n = 0, told = 0;
    const char *all = "";
    for (size_t i = 0; i < TR_COUNT(formats); i++)
        n += formats[i].reach >= reach;
    for (size_t i = 0; i < TR_COUNT(formats); i++) {
        if (formats[i].reach < reach)
            continue;
        const char *between = told == 0 ? "" : told + 1 < n ? ", " : " or ";
        all = tr_arena_printf(arena, "%s%s%s", all, between, formats[i].name);
        told++;
    }
    return all;
}

void report_write(tr_text *out, const full_report *report, report_format format,
                  const report_options *options)
{
    writer w = writer_open(out, report, options);
    formats[format].write(&w);
    writer_close(&w);
}

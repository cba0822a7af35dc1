/* The formats, and a report written in one of them. */
#include "report/report_private.h"

#include <string.h>

typedef struct format_row {
    const char *name, *about;
    void (*write)(writer *w);
} format_row;

static const format_row formats[] = {
#define FORMAT(id, name, writer, about) {name, about, writer},
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

void report_write(tr_text *out, const full_report *report, report_format format,
                  const report_options *options)
{
    writer w = writer_open(out, report, options);
    formats[format].write(&w);
    writer_close(&w);
}

/* The destinations of reports: --format and --output. */
#ifndef DRIVER_OUTPUTS_H
#define DRIVER_OUTPUTS_H

#include "session/session.h"

typedef struct output {
    report_format format;
    const char *path; /* NULL: the output stream of the program */
} output;

typedef struct outputs {
    size_t n;
    output *items; /* the first is that of --format */
} outputs;

/* EXIT_BAD after a complaint: a format that is none, or a file that is named twice. */
int outputs_read(session *s, outputs *all);
/* Writes the report to each: the files whole, all of them or none. EXIT_CLEAN or EXIT_BAD. */
int outputs_write(session *s, const outputs *all, const full_report *report);
/* EXIT_BAD after a complaint where a file that is to be written is one of those that are read. */
int outputs_spare(session *s, size_t n_read, const char *const *read);

#endif

/* One report being written: what is kept while it is. */
#include "report/report_private.h"

writer writer_open(tr_text *out, const full_report *report, const report_options *options)
{
    return (writer){.out = out, .report = report, .options = options, .arena = tr_arena_new()};
}

void writer_close(writer *w)
{
    sources_free(w);
    tr_arena_free(w->arena);
}

input_report *report_input(const full_report *report, size_t i)
{
    if (report->read)
        report->read(report->user, i);
    return &report->inputs[i];
}

void writer_next(writer *w)
{
    enum { PIECE = 1 << 16 };
    if (w->options->take && w->out->length >= PIECE)
        w->options->take(w->options->user, w->out);
    writer_forget(w);
}

void writer_forget(writer *w)
{
    if (!w->report->read)
        return; /* the same sources may serve the next one */
    sources_free(w);
    tr_arena_free(w->arena);
    w->sources = NULL;
    w->arena = tr_arena_new();
}

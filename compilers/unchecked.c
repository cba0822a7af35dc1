#include "compilers/unchecked.h"

void unchecked_add(tr_text *out, tr_arena *arena, const char *file, const char *why, bool is_error,
                   const report_options *how, report_tally *tally)
{
    report_message message = {
        .severity = is_error ? REPORT_ERROR : REPORT_WARNING,
        .text = tr_arena_printf(arena, "kernels were not checked for races: %s", why),
        .group = "-Wrace",
        .was_warning = is_error};
    report_write_message(out, &message, file, how, tally);
}

void unchecked_say(session *s, const char *file, const char *why, bool is_error,
                   const report_options *how, report_tally *tally)
{
    tr_text out = {0};
    unchecked_add(&out, s->arena, file, why, is_error, how, tally);
    fputs(tr_text_get(&out), s->err);
    tr_text_free(&out);
}

const char *unchecked_why(const loaded *input)
{
    return tr_errors_count(&input->errors) > 0 ? input->errors.items[0].text : "cannot be read";
}

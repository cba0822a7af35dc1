/* A check that cannot be made: a warning, and an error only where its verdict was asked for. */
#ifndef COMPILERS_UNCHECKED_H
#define COMPILERS_UNCHECKED_H

#include "inputs/load.h"
#include "session/session.h"

/* Appends "file: warning: kernels were not checked for races: why [-Wrace]". */
void unchecked_add(tr_text *out, tr_arena *arena, const char *file, const char *why, bool is_error,
                   const report_options *how, report_tally *tally);
/* Writes it to the error stream. */
void unchecked_say(session *s, const char *file, const char *why, bool is_error,
                   const report_options *how, report_tally *tally);
/* The first error of an input, as the reason. */
const char *unchecked_why(const loaded *input);

#endif

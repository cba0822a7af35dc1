/* Completion of the program's own command line, from its tables. */
#ifndef DRIVER_COMPLETE_H
#define DRIVER_COMPLETE_H

#include "base/base.h"

/* Writes what may stand where the last of the words stands, which may be begun or empty; the
 * program's name is not among them. The first line says what else may stand there: `files`,
 * `folders` or `programs`, or `words` for nothing. Then a line for each candidate: the whole word,
 * a tab, what it is about. Texts of the command line are never run, opened or looked up. */
void complete_words(tr_text *out, size_t n, const char *const *words);

#endif

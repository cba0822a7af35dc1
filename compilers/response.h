/* Response files: `@FILE` on a command line stands for the words in it. */
#ifndef COMPILERS_RESPONSE_H
#define COMPILERS_RESPONSE_H

#include "base/base.h"

/* The words with those of response files in their place, as GCC and Clang read them: separated by
 * white space, quotes and backslashes as in a shell, files within files. A word that begins with @
 * and names no file stays. False, with *why, where they nest too deep. */
bool response_expand(tr_arena *arena, size_t *n, const char *const **words, const char **why);

#endif

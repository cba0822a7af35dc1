/* Words of command lines. `@FILE`, a response file, stands for the words in that file. */
#ifndef BUILDS_WORDS_H
#define BUILDS_WORDS_H

#include "base/base.h"

/* The words with those of response files in their place, as GCC and Clang read them: separated by
 * white space, quotes and backslashes as in a shell, files within files. A word that begins with @
 * and names no file stays. Names count from `folder`; NULL: from the working folder. False, with
 * *why, where they nest too deep. */
bool words_expand(tr_arena *arena, const char *folder, size_t *n, const char *const **words,
                  const char **why);
/* The words of a text, read the same way, with these characters between them, or NULL: white space.
 * NULL-ended. */
const char *const *words_split(tr_arena *arena, const char *between, const char *text);
/* Is the word longer than `end`, and does it end so? */
bool word_ends_in(const char *word, const char *end);

#endif

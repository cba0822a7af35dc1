/* Terms in words. */
#ifndef QUESTION_TERM_WORDS_H
#define QUESTION_TERM_WORDS_H

#include "question/checker.h"

/* "b * H + h < H" as people write it; in the arena. */
const char *term_words(checker *k, smt_t term);

#endif

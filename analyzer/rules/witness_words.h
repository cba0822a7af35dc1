/* A witness in words. */
#ifndef RULES_WITNESS_WORDS_H
#define RULES_WITNESS_WORDS_H

#include "question/checker.h"

/* Returns the witness in words; in the arena. */
const char *finding_witness_words(checker *k, const witness *w);

#endif

/* The words of judgements, for `tilerace explain`. */
#ifndef JUDGE_WORDS_H
#define JUDGE_WORDS_H

#include "base/base.h"

/* Appends what the word means as a class or a stage, and returns whether it is one. */
bool judge_explain(tr_text *out, const char *word);
/* Lists all of them, a line each. */
void judge_list_words(tr_text *out);

#endif

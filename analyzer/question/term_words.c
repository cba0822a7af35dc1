/* Terms in words. */
#include "question/term_words.h"

#include "question/checker.h"

const char *term_words(checker *k, smt_t term)
{
    tr_text text = {0};
    smt_print_c(&text, term);
    const char *kept = tr_arena_strdup(k->arena, tr_text_get(&text));
    tr_text_free(&text);
    return kept;
}

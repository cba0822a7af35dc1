/* Comments of a source, in the languages that kernels are written in. What stands in a string is no
 * comment. */
#ifndef REPORT_COMMENTS_H
#define REPORT_COMMENTS_H

#include "base/base.h"

typedef enum comment_language {
    COMMENTS_C, /* C, C++, CUDA: also of files of no known kind */
    COMMENTS_RUST,
    COMMENTS_PYTHON,
    COMMENTS_JULIA,
} comment_language;

comment_language comment_language_of(const char *file); /* by the end of its name */

typedef struct comment {
    size_t from, to;         /* of the text, with what begins and ends the comment */
    uint32_t line, end_line; /* from 1 */
    bool is_line;            /* it ends with its line */
} comment;

typedef struct commented {
    const char *text;
    size_t length;
    char *code;        /* the same text with blanks for comments and what is in strings */
    comment *comments; /* stb_ds array, in the text's order */
    size_t *lines;     /* stb_ds array: where each line begins */
} commented;

/* `text` has a NUL behind it and outlives what is returned. Any bytes do. */
commented comments_read(tr_arena *arena, comment_language language, const char *text,
                        size_t length);
void comments_free(commented *c);
/* Does the code have the word, by itself? */
bool comments_have_word(const commented *c, const char *word);
/* Is there code on that line, from 1? Beyond the last one there is none. */
bool comments_has_code(const commented *c, uint32_t line);
/* Is there code before that offset, on its line? */
bool comments_has_code_before(const commented *c, size_t offset);

#endif

/* Patterns that choose files, as .gitignore has them: a list of lines of which the last one that
 * matches decides. gitignore(5) says what a line means; tests compare with `git check-ignore`. */
#ifndef FOLDERS_PATTERN_H
#define FOLDERS_PATTERN_H

#include "base/base.h"

typedef struct pattern_token pattern_token;

typedef struct pattern { /* one line; everything lives in the arena that it was made in */
    const char *text;    /* as it was written, without blanks at its end */
    uint32_t line;       /* in its file, from 1; of an option or a key: which one it is */
    bool negated;        /* `!`: what matches is not chosen */
    bool folders_only;   /* it ends in a slash */
    bool any_folder;     /* it has no other slash: it speaks of names, in whatever folder */
    const char *prefix;  /* of the path or the name, up to the first special character */
    size_t prefix_length;
    size_t n_tokens; /* what comes behind the prefix */
    pattern_token *tokens;
} pattern;

typedef struct patterns {
    size_t n, capacity;
    pattern *items;
} patterns;

/* Adds a line, which need not end in a NUL. Nothing is added for one that is empty or a comment. */
void patterns_add_line(tr_arena *arena, patterns *to, const char *line, size_t length,
                       uint32_t number);
/* Adds the lines of a .gitignore. */
void patterns_add_file(tr_arena *arena, patterns *to, const char *text, size_t length);
/* The last one that matches, be it negated; NULL: none does. `path` is relative to the folder that
 * the patterns belong to. */
const pattern *patterns_find(const patterns *in, const char *path, bool is_folder);

#endif

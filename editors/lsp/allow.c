#include "lsp/allow.h"
#include "report/comments.h"

#include <string.h>

const char *allow_comment(tr_arena *arena, const char *file, const char *line, const char *before,
                          const char *code)
{
    comment_language language = comment_language_of(file);
    const char *leader = language == COMMENTS_PYTHON || language == COMMENTS_JULIA ? "#" : "//";
    if (tr_ends_in(before, "\\"))
        return NULL;
    return tr_arena_printf(arena, "%.*s%s tilerace: allow(%s): \n", (int)strspn(line, " \t"), line,
                           leader, code);
}

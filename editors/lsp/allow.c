#include "lsp/allow.h"

#include <string.h>

const char *allow_comment(tr_arena *arena, const char *file, const char *line, const char *before,
                          const char *code)
{
    const char *leader = tr_ends_in(file, ".py") || tr_ends_in(file, ".jl") ? "#" : "//";
    if (tr_ends_in(before, "\\"))
        return NULL;
    return tr_arena_printf(arena, "%.*s%s tilerace: allow(%s): \n", (int)strspn(line, " \t"), line,
                           leader, code);
}

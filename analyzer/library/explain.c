/* Explains the words of a result. */
#include "library/library.h"

#include <stdlib.h>

#include "driver/explained.h"

typedef struct explanation {   /* what a `tilerace_explanation *` really points to */
    tilerace_explanation view; /* first */
    tr_arena *arena;           /* owns it */
} explanation;

tilerace_explanation *tilerace_explain(const char *word)
{
    static const char *const kinds[] = {
        [EXPLAINED_RULE] = "rule",
        [EXPLAINED_VERDICT] = "verdict",
        [EXPLAINED_PRECONDITION] = "precondition",
    };
    tr_arena *arena = tr_arena_new();
    explained found;
    if (!explained_find(arena, word, &found)) {
        tr_arena_free(arena);
        return NULL;
    }
    explanation *e = TR_NEW(arena, explanation);
    e->arena = arena;
    e->view = (tilerace_explanation){
        .kind = kinds[found.kind],
        .code = found.code,
        .name = found.name,
        .level = (tilerace_level)found.level,
        .summary = found.summary,
        .help = found.help,
        .page = tr_arena_printf(arena, REPORT_HOME "/blob/main/%s.md", found.page),
    };
    return &e->view;
}

void tilerace_free_explanation(tilerace_explanation *e)
{
    if (e)
        tr_arena_free(((explanation *)e)->arena);
}

/* A candidate in CUDA Tile C++, which is compiled before it is judged: a process that judges starts
 * no compiler. nvcc runs nothing of it. */
#include "judge/built.h"

#include "base/ds.h"
#include "base/process.h"
#include "builds/cuda.h"

struct judge_built {
    build_result result;
    const char *lacks; /* why it is not compiled; or NULL */
};

static bool is_absolute(const char *path)
{
    return path[0] == '/'; /* a folder that PATH names from here on may be a stranger's */
}

tr_give judge_built *judge_build(const session *s, const judge_context *c)
{
    const build_source source = {.file = c->file, .at = 0, .is_named = true};
    if (c->source || c->n_variants || c->refused.what || !tr_ends_in(c->file, ".cu"))
        return NULL;
    judge_built *b = TR_NEW(s->arena, judge_built);
    tr_arena *arena = tr_arena_new();
    b->result = (build_result){.arena = arena, .errors = tr_errors_make(arena)};
    const char *program = tr_find_program(arena, "nvcc", is_absolute);
    if (c->n_tuned > 0)
        b->lacks = "tuning values are macros of a C source, and of no other";
    else if (!program)
        b->lacks = "CUDA Tile C++ is compiled by nvcc, which is not on PATH";
    else
        build_cuda(s, &source, program, &b->result);
    return b;
}

void judge_built_free(tr_take judge_built *b)
{
    if (!b)
        return;
    tr_errors_free(&b->result.errors);
    tr_arena_free(b->result.arena);
}

const build_result *judge_built_result(const judge_built *b, const char **why)
{
    const tr_errors *errors = &b->result.errors;
    *why = b->lacks;
    if (!*why && tr_errors_count(errors) > 0 && !b->result.is_refused)
        *why = errors->items[0].text;
    return &b->result;
}

/* A candidate in CUDA Tile C++, which is compiled before it is judged: a process that judges starts
 * no compiler. nvcc runs nothing of it. */
#include "judge/built.h"

#include "base/process.h"
#include "builds/cuda.h"
#include "judge/judge.h"

enum { MOST_BUILT = 256 }; /* combinations: each is seconds of nvcc */

struct judge_built {
    size_t n;
    build_result *results; /* one a combination */
    const char *lacks;     /* why it is not compiled; or NULL */
};

static bool is_absolute(const char *path)
{
    return path[0] == '/'; /* a folder that PATH names from here on may be a stranger's */
}

static void build_one(const session *s, const judge_context *c, const char *program,
                      size_t combination, build_result *to)
{
    const build_source source = {.file = c->file, .at = 0, .is_named = true};
    session own = *s;
    own.options = judge_options_with(s, c, judge_values_of(s, c, combination));
    build_cuda(&own, &source, program, to);
}

tr_give judge_built *judge_build(const session *s, const judge_context *c)
{
    if (c->source || c->n_variants || c->refused.what || !tr_ends_in(c->file, ".cu"))
        return NULL;
    judge_built *b = TR_NEW(s->arena, judge_built);
    const char *program = tr_find_program(s->arena, "nvcc", is_absolute);
    b->n = judge_combinations(c);
    b->results = TR_NEW_ARRAY(s->arena, build_result, b->n);
    if (b->n > MOST_BUILT)
        b->lacks = tr_arena_printf(s->arena,
                                   "nvcc would have to compile %zu combinations of tuning values; "
                                   "at most %d are",
                                   b->n, MOST_BUILT);
    else if (!program)
        b->lacks = "CUDA Tile C++ is compiled by nvcc, which is not on PATH";
    for (size_t i = 0; i < b->n; i++) {
        tr_arena *arena = tr_arena_new();
        b->results[i] = (build_result){.arena = arena, .errors = tr_errors_make(arena)};
        if (!b->lacks)
            build_one(s, c, program, i, &b->results[i]);
    }
    return b;
}

void judge_built_free(tr_take judge_built *b)
{
    for (size_t i = 0; b && i < b->n; i++) {
        tr_errors_free(&b->results[i].errors);
        tr_arena_free(b->results[i].arena);
    }
}

const build_result *judge_built_result(const judge_built *b, size_t combination, const char **why)
{
    const build_result *result = &b->results[combination];
    *why = b->lacks;
    if (!*why && tr_errors_count(&result->errors) > 0 && !result->is_refused)
        *why = result->errors.items[0].text;
    return result;
}

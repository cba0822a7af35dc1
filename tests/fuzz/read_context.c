/* Fuzz target: whatever the bytes are, reading them as the context of a candidate ends with one or
 * with errors. One that is read names a kernel, and has values that its readers rely on. */
#include "judge/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s does not hold\n", #condition);                                     \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static void check_context(const judge_context *c)
{
    size_t combinations = 1;
    CHECK(c->file && c->file[0]);
    CHECK(c->samples >= 1);
    CHECK(!c->source || strlen(c->source) == c->source_length);
    for (size_t i = 0; i < c->n_outputs; i++)
        CHECK(c->outputs[i]);
    for (size_t i = 0; i < c->n_tuned; i++) {
        CHECK(c->tuned[i].name && c->tuned[i].n_values > 0);
        combinations *= c->tuned[i].n_values;
        CHECK(combinations <= JUDGE_MOST_COMBINATIONS);
    }
    for (size_t i = 0; i < c->n_defines; i++)
        CHECK(strncmp(c->defines[i], "-D", 2) == 0 && strchr(c->defines[i], '='));
    for (size_t i = 0; i < c->n_variants; i++)
        CHECK(c->variants[i].file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tr_arena *arena = tr_arena_new();
    tr_errors errors = tr_errors_make(arena);
    const char *text = tr_arena_strndup(arena, (const char *)data, size);
    judge_is_context(text, size);
    judge_context *c =
        judge_context_parse(arena, "/nowhere/context.json", text, size, NULL, &errors);
    CHECK((c == NULL) == (tr_errors_count(&errors) > 0));
    if (c)
        check_context(c);
    judge_context_free(c);
    tr_errors_free(&errors);
    tr_arena_free(arena);
    return 0;
}

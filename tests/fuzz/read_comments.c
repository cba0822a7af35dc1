/* Fuzz target: whatever the bytes are, reading their comments ends, finds comments that lie in the
 * text one behind the other, and what they allow has a place in it. The first byte says in which
 * language. */
#include "report/allow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s does not hold\n", #condition);                                     \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static void check_place(const commented *c, const tr_place *place)
{
    CHECK(place->line >= 1 && place->line <= arrlenu(c->lines));
    CHECK(c->lines[place->line - 1] + place->column - 1 <= c->length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const files[] = {"k.c", "k.rs", "k.py", "k.jl"};
    if (size == 0)
        return 0;
    tr_arena *arena = tr_arena_new();
    const char *text = tr_arena_strndup(arena, (const char *)data + 1, size - 1);
    size_t length = strlen(text);
    commented c =
        comments_read(arena, comment_language_of(files[data[0] % TR_COUNT(files)]), text, length);
    CHECK(strlen(c.code) == length);
    size_t end = 0;
    for (size_t i = 0; i < arrlenu(c.comments); i++) {
        const comment *at = &c.comments[i];
        CHECK(end <= at->from && at->from < at->to && at->to <= length);
        CHECK(1 <= at->line && at->line <= at->end_line && at->end_line <= arrlenu(c.lines));
        end = at->to;
    }
    allows all = allows_read(arena, &c);
    for (size_t i = 0; i < arrlenu(all.items); i++) {
        CHECK(all.items[i].comment < arrlenu(c.comments) && all.items[i].reason[0]);
        check_place(&c, &all.items[i].place);
    }
    for (size_t i = 0; i < arrlenu(all.problems); i++)
        check_place(&c, &all.problems[i].place);
    allows_free(&all);
    comments_free(&c);
    tr_arena_free(arena);
    return 0;
}

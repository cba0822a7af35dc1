/* A launch as a launch contract: what was seen of a program's launch, made of what a caller says.
 */
#include "library/library.h"

#include <stdlib.h>
#include <string.h>

#include "launches/seen.h"

/* The words of one argument, as a driver would take them. */
static seen_argument seen_argument_of(tr_arena *arena, const tilerace_parameter *p,
                                      const tilerace_argument *a)
{
    union {
        int64_t integer;
        uint64_t address;
        double number;
    } word = {.integer = a->integer};
    if (p->kind == TILERACE_POINTER)
        word.address = a->address;
    if (p->kind == TILERACE_FLOAT)
        word.number = a->number;
    uint8_t *value = TR_NEW_ARRAY(arena, uint8_t, sizeof word);
    memcpy(value, &word, sizeof word);
    bool is_array = p->kind == TILERACE_POINTER && a->bytes_known;
    return (seen_argument){.value = value,
                           .bytes = sizeof word,
                           .allocation = is_array ? a->address : 0,
                           .allocation_bytes = is_array ? a->bytes : 0,
                           .contents = a->contents,
                           .contents_bytes = a->contents ? a->contents_bytes : 0};
}

char *tilerace_state_launch(const tilerace_kernel *kernel, const tilerace_launch *launch,
                            const char *file, unsigned line)
{
    const library_kernel *k = (const library_kernel *)kernel;
    size_t n = launch->n_arguments;
    if (n != kernel->n_parameters)
        return NULL;
    tr_arena *arena = tr_arena_new();
    seen_launch seen = {.symbol = k->symbol,
                        .file = file,
                        .line = line,
                        .n_arguments = n,
                        .arguments = TR_NEW_ARRAY(arena, seen_argument, n + 1)};
    for (int axis = 0; axis < 3; axis++)
        seen.grid[axis] = (uint64_t)launch->grid[axis];
    for (size_t i = 0; i < n; i++)
        seen.arguments[i] = seen_argument_of(arena, kernel->parameters[i], launch->arguments[i]);
    const char *text = seen_as_contract(arena, &seen, kernel, k->names, NULL, NULL);
    char *copy = strdup(text);
    tr_arena_free(arena);
    return copy;
}

char *tilerace_record_launch(const char *folder, const void *bytes, size_t size, const char *names,
                             const char *stated)
{
    const char *why = NULL;
    tr_arena *arena = tr_arena_new();
    recording *r = recording_open(arena, folder, &why);
    const char *module =
        r ? recording_add_module(r, arena, bytes, size, names ? names : "", &why) : NULL;
    bool done = module && recording_add_launch(r, arena, module, stated, &why);
    char *copy = done ? NULL : strdup(why);
    tr_arena_free(arena);
    return copy;
}

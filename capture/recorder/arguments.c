/* Finds where the arguments of a launch lie. */
#include "recorder/private.h"

#include <string.h>

enum { LARGEST_ALIGNMENT = 8, MOST_NAMES = 8 };

/* The words of `extra`, each of which speaks of the word after it. */
#define EXTRA_END    ((void *)0)
#define EXTRA_BUFFER ((void *)1)
#define EXTRA_SIZE   ((void *)2)

/* Each parameter starts at a multiple of its size, of which the largest is that of a number. */
static size_t aligned(size_t at, size_t bytes)
{
    size_t alignment = 1;
    while (alignment < LARGEST_ALIGNMENT && 2 * alignment <= bytes)
        alignment *= 2;
    return (at + alignment - 1) / alignment * alignment;
}

size_t recorder_offset(const recorder_parameters *parameters, size_t index)
{
    size_t at = 0;
    for (size_t i = 0;; i++) {
        at = aligned(at, parameters->items[i].bytes);
        if (i == index)
            return at;
        at += parameters->items[i].bytes;
    }
}

/* NULL: it names no buffer. */
static const char *buffer_of(void **extra, size_t *bytes)
{
    const char *buffer = NULL;
    *bytes = 0;
    for (int i = 0; i < 2 * MOST_NAMES && extra[i] != EXTRA_END; i += 2) {
        if (extra[i] == EXTRA_BUFFER)
            buffer = extra[i + 1];
        else if (extra[i] == EXTRA_SIZE && extra[i + 1])
            memcpy(bytes, extra[i + 1], sizeof *bytes);
    }
    return buffer;
}

static bool in_buffer(const recorder_parameters *parameters, void **extra, const void **arguments)
{
    size_t bytes, at = 0;
    const char *buffer = buffer_of(extra, &bytes);
    for (size_t i = 0; i < parameters->n; i++) {
        at = aligned(at, parameters->items[i].bytes);
        arguments[i] = buffer + at;
        at += parameters->items[i].bytes;
        if (!buffer || at > bytes)
            return false;
    }
    return true;
}

bool recorder_arguments(const recorder_parameters *parameters, void **list, void **extra,
                        const void **arguments)
{
    if (extra)
        return in_buffer(parameters, extra, arguments);
    for (size_t i = 0; i < parameters->n; i++) {
        if (!list || !list[i])
            return false;
        arguments[i] = list[i];
    }
    return true;
}

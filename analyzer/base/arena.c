/* Arena: a list of chunks; only the newest is filled. Pieces are cleared as they are handed out, as
 * most arenas use a small part of their chunk. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_SIZE = 64 * 1024, ALIGNMENT = 16 };

typedef struct chunk {
    struct chunk *next;
    size_t capacity, used;
    _Alignas(ALIGNMENT) unsigned char bytes[];
} chunk;

struct tr_arena {
    chunk *newest;
    size_t used;
};

/* Its bytes are cleared or not, as wanted; those of a large one come cleared from the system. */
static chunk *chunk_new(size_t capacity, bool cleared)
{
    if (capacity > SIZE_MAX - sizeof(chunk)) {
        tr_no_memory();
    }
    size_t size = sizeof(chunk) + capacity;
    chunk *fresh = cleared ? calloc(1, size) : malloc(size);
    if (!fresh) {
        tr_no_memory();
    }
    fresh->next = NULL;
    fresh->capacity = capacity;
    fresh->used = 0;
    return fresh;
}

tr_give tr_arena *tr_arena_new(void)
{
    tr_arena *arena = calloc(1, sizeof *arena);
    if (!arena) {
        tr_no_memory();
    }
    return arena;
}

void tr_arena_free(tr_take tr_arena *arena)
{
    if (!arena) {
        return;
    }
    for (chunk *at = arena->newest; at;) {
        chunk *next = at->next;
        free(at);
        at = next;
    }
    free(arena);
}

/* A large piece gets a chunk of its own behind the newest one, so that the room left in the newest
 * is not lost. */
static void *alloc_large(tr_arena *arena, size_t size)
{
    chunk *own = chunk_new(size, true);
    own->used = size;
    if (arena->newest) {
        own->next = arena->newest->next;
        arena->newest->next = own;
    } else {
        arena->newest = own;
    }
    return own->bytes;
}

void *tr_arena_alloc(tr_arena *arena, size_t size)
{
    if (size > SIZE_MAX - ALIGNMENT) {
        tr_no_memory();
    }
    size = size ? (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;
    arena->used += size;
    if (size > CHUNK_SIZE / 4) {
        return alloc_large(arena, size);
    }
    chunk *newest = arena->newest;
    if (!newest || newest->capacity - newest->used < size) {
        newest = chunk_new(CHUNK_SIZE, false);
        newest->next = arena->newest;
        arena->newest = newest;
    }
    void *piece = newest->bytes + newest->used;
    newest->used += size;
    return memset(piece, 0, size);
}

void *tr_arena_copy(tr_arena *arena, const void *data, size_t size)
{
    void *copy = tr_arena_alloc(arena, size);
    if (size) {
        memcpy(copy, data, size);
    }
    return copy;
}

char *tr_arena_strndup(tr_arena *arena, const char *text, size_t length)
{
    char *copy = tr_arena_alloc(arena, length + 1);
    if (length) {
        memcpy(copy, text, length);
    }
    return copy;
}

char *tr_arena_strdup(tr_arena *arena, const char *text)
{
    return tr_arena_strndup(arena, text, strlen(text));
}

char *tr_arena_vprintf(tr_arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) {
        tr_no_memory();
    }
    char *text = tr_arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

char *tr_arena_printf(tr_arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = tr_arena_vprintf(arena, format, arguments);
    va_end(arguments);
    return text;
}

size_t tr_arena_used(const tr_arena *arena)
{
    return arena->used;
}

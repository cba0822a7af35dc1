/* Text that grows. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(tr_text *text, size_t more)
{
    if (more > SIZE_MAX / 4 || text->length > SIZE_MAX / 4) {
        tr_no_memory();
    }
    size_t need = text->length + more + 1;
    if (need <= text->capacity) {
        return;
    }
    size_t capacity = text->capacity ? text->capacity * 2 : 64;
    if (capacity < need) {
        capacity = need;
    }
    text->data = realloc(text->data, capacity);
    if (!text->data) {
        tr_no_memory();
    }
    text->capacity = capacity;
}

void tr_text_addn(tr_text *text, const char *bytes, size_t length)
{
    reserve(text, length);
    if (length) {
        memcpy(text->data + text->length, bytes, length);
    }
    text->length += length;
    text->data[text->length] = '\0';
}

void tr_text_add(tr_text *text, const char *string)
{
    tr_text_addn(text, string, strlen(string));
}

void tr_text_vaddf(tr_text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) {
        tr_no_memory();
    }
    reserve(text, (size_t)length);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, arguments);
    text->length += (size_t)length;
}

void tr_text_addf(tr_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tr_text_vaddf(text, format, arguments);
    va_end(arguments);
}

const char *tr_text_get(const tr_text *text)
{
    return text->data ? text->data : "";
}

void tr_text_clear(tr_text *text)
{
    text->length = 0;
    if (text->data) {
        text->data[0] = '\0';
    }
}

void tr_text_free(tr_text *text)
{
    free(text->data);
    *text = (tr_text){0};
}

const char *tr_folder_of(tr_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return ".";
    return slash == path ? "/" : tr_arena_strndup(arena, path, (size_t)(slash - path));
}

const char *tr_path_from(tr_arena *arena, const char *folder, const char *path)
{
    return path[0] == '/' || !folder ? path : tr_arena_printf(arena, "%s/%s", folder, path);
}

bool tr_ends_in(const char *text, const char *end)
{
    size_t length = text ? strlen(text) : 0, n = strlen(end);
    return length >= n && strcmp(text + length - n, end) == 0;
}

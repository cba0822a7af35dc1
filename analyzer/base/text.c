/* Text that grows, and whole files. */
#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void reserve(tr_text *text, size_t more)
{
    if (more > SIZE_MAX / 4 || text->length > SIZE_MAX / 4) {
        abort();
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
        abort();
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
        abort();
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

/* Sizes are not asked for beforehand: pipes and /proc files have none. */
static const char *slurp(FILE *file, tr_text *into)
{
    char piece[16 * 1024];
    size_t got;
    while ((got = fread(piece, 1, sizeof piece, file)) > 0) {
        tr_text_addn(into, piece, got);
    }
    return ferror(file) ? "reading the file failed" : NULL;
}

bool tr_ends_in(const char *text, const char *end)
{
    size_t length = text ? strlen(text) : 0, n = strlen(end);
    return length >= n && strcmp(text + length - n, end) == 0;
}

char *tr_read_file(tr_arena *arena, const char *path, size_t *length, const char **why)
{
    FILE *file = fopen(path, "rbe");
    if (!file) {
        *why = tr_arena_printf(arena, "cannot open the file: %s", strerror(errno));
        return NULL;
    }
    struct stat about;
    if (fstat(fileno(file), &about) == 0 && S_ISDIR(about.st_mode)) {
        fclose(file);
        *why = "it is a folder, not a file";
        return NULL;
    }
    tr_text bytes = {0};
    const char *failed = slurp(file, &bytes);
    fclose(file);
    char *data = NULL;
    if (failed) {
        *why = failed;
    } else {
        data = tr_arena_strndup(arena, tr_text_get(&bytes), bytes.length);
        if (length) {
            *length = bytes.length;
        }
    }
    tr_text_free(&bytes);
    return data;
}

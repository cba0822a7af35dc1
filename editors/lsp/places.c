#include "lsp/inspecting.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

#include "base/ds.h"

const read_text *places_text(inspecting *in, const char *file)
{
    for (size_t i = 0; i < arrlenu(in->texts); i++)
        if (strcmp(in->texts[i].file, file) == 0)
            return &in->texts[i];
    const tr_unsaved_file *unsaved = tr_unsaved_find(&in->task->unsaved, file);
    read_text read = {.file = file, .text = unsaved ? unsaved->text : NULL};
    if (unsaved)
        read.length = unsaved->length;
    else
        read.text = tr_read_source(in->arena, file, &read.length);
    arrput(in->texts, read);
    return &arrlast(in->texts);
}

/* A recording may have been made elsewhere, and names of Rust begin at the root of a package. */
static bool ends_as_document(const inspecting *in, const char *file)
{
    const char *path = in->task->path;
    size_t length = strlen(path), tail = strlen(file);
    if (in->task->kind != LSP_RECORDED || tail >= length || file[0] == '/')
        return false;
    return strcmp(path + length - tail, file) == 0 && path[length - tail - 1] == '/';
}

bool places_is_document(const inspecting *in, const char *file)
{
    struct stat one, two;
    const char *path = in->task->path;
    if (!file)
        return false;
    if (strcmp(file, path) == 0 || ends_as_document(in, file))
        return true;
    return stat(file, &one) == 0 && stat(path, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}

const tr_place *places_in_document(const inspecting *in, const tr_place *place)
{
    for (; place; place = place->inlined_at)
        if (place->line > 0 && places_is_document(in, place->file))
            return place;
    return NULL;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Returns the end where none is known: the word at the place, or the rest of the line where no
 * column is. */
static uint32_t end_of_word(const read_text *text, const tr_place *place)
{
    size_t start, end;
    if (!text->text || !lsp_find_line(text->text, text->length, place->line - 1, &start, &end))
        return place->column + 1;
    size_t at = start + (place->column > 0 ? place->column - 1 : 0);
    if (place->column == 0 || at >= end)
        return (uint32_t)(end - start) + 1;
    size_t from = at;
    while (at < end && is_word(text->text[at]))
        at++;
    return place->column + (uint32_t)(at > from ? at - from : 1);
}

static bool has_end(const tr_place *place)
{
    return place->end_line > place->line ||
           (place->end_line == place->line && place->end_column > place->column + 1);
}

lsp_range places_range(inspecting *in, const tr_place *place)
{
    const char *file = places_is_document(in, place->file) ? in->task->path : place->file;
    const read_text *text = places_text(in, file);
    const char *bytes = text->text ? text->text : "";
    lsp_encoding encoding = in->task->encoding;
    uint32_t line = has_end(place) ? place->end_line : place->line;
    uint32_t column = has_end(place) ? place->end_column : end_of_word(text, place);
    return (lsp_range){
        lsp_position_at(bytes, text->length, encoding, place->line, place->column),
        lsp_position_at(bytes, text->length, encoding, line, column),
    };
}

const char *places_line(inspecting *in, uint32_t line, size_t *length)
{
    const read_text *text = places_text(in, in->task->path);
    size_t start, end;
    if (!text->text || line == 0 ||
        !lsp_find_line(text->text, text->length, line - 1, &start, &end))
        return NULL;
    *length = end - start;
    return text->text + start;
}

uint32_t places_including(inspecting *in, const char *file)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    size_t length;
    const char *line;
    for (uint32_t n = 1; (line = places_line(in, n, &length)); n++)
        if (memmem(line, length, "#", 1) && memmem(line, length, "include", 7) &&
            memmem(line, length, name, strlen(name)))
            return n;
    return 1;
}

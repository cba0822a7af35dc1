#include "inputs/kinds.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "bytecode/bytecode.h"
#include "report/comments.h"

/* Sources that other compilers read, and words without which they hold no tile kernel. */
static const struct language {
    const char *suffix;
    const char *words[3];
} languages[] = {
    {".py", {"cuda.tile", "cuda import tile"}},
    {".cu", {"cuda_tile.h", "__tile_global__"}},
    {".cuh", {"cuda_tile.h", "__tile_global__"}},
    {".rs", {"cutile"}},
    {".jl", {"cuTile"}},
};

static bool has_suffix(const char *file, const char *suffix)
{
    return strlen(file) > strlen(suffix) && tr_ends_in(file, suffix);
}

static const struct language *language_of(const char *file)
{
    for (size_t i = 0; i < TR_COUNT(languages); i++)
        if (has_suffix(file, languages[i].suffix))
            return &languages[i];
    return NULL;
}

bool kind_is_foreign(const char *file)
{
    return language_of(file) != NULL;
}

/* NULL: it cannot be read. */
static const char *text_of(tr_arena *arena, const char *file, size_t *length)
{
    const char *why;
    *length = 0;
    return tr_read_file(arena, TR_FILE_KERNELS, file, length, &why);
}

bool kind_may_hold_kernels(const char *file)
{
    const struct language *language = language_of(file);
    tr_arena *arena = tr_arena_new();
    size_t length;
    const char *text = text_of(arena, file, &length);
    bool may = false;
    for (size_t i = 0; text && i < TR_COUNT(language->words); i++)
        may = may || (language->words[i] && strstr(text, language->words[i]));
    tr_arena_free(arena);
    return may;
}

/* ---- Section: Sources of the dialect ---- */

bool kind_is_other_c(headers *h, const char *file)
{
    tr_arena *arena = tr_arena_new();
    size_t length;
    const char *text = has_suffix(file, ".c") ? text_of(arena, file, &length) : NULL;
    bool is = text && length == strlen(text) && !headers_bring_kernels(h, file, text, length);
    tr_arena_free(arena);
    return is;
}

/* The kind of a .c file in a folder, which may be anything, even C in another encoding: a file that
 * is no text counts as a source if it has the word "tile". */
static file_kind kind_of_c(headers *h, const char *file)
{
    tr_arena *arena = tr_arena_new();
    size_t length;
    const char *text = text_of(arena, file, &length);
    bool is_text = text && length == strlen(text);
    bool is_source = !text || (!is_text && memmem(text, length, "tile", 4)) ||
                     headers_bring_kernels(h, file, text, length);
    tr_arena_free(arena);
    return is_source ? KIND_SOURCE : KIND_OTHER;
}

/* The kind of a header: a source if it has kernels itself, not if it only includes what kernels
 * need. */
static file_kind kind_of_header(const char *file)
{
    tr_arena *arena = tr_arena_new();
    size_t length;
    const char *text = text_of(arena, file, &length);
    file_kind kind = KIND_OTHER;
    if (text && strstr(text, "tile_kernel")) {
        commented read = comments_read(arena, COMMENTS_C, text, strlen(text));
        kind = comments_have_word(&read, "tile_kernel") ? KIND_HEADER : KIND_OTHER;
        comments_free(&read);
    }
    tr_arena_free(arena);
    return kind;
}

/* The kind of a file by its first bytes. */
static file_kind kind_of_bytes(const char *file)
{
    unsigned char bytes[16];
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    ssize_t got = fd >= 0 ? read(fd, bytes, sizeof bytes) : -1;
    if (fd >= 0)
        close(fd);
    if (got < 0)
        return KIND_UNREADABLE;
    return bytecode_is(bytes, (size_t)got) ? KIND_MODULE : KIND_OTHER;
}

file_kind kind_of(headers *h, const char *file)
{
    file_kind kind = kind_of_bytes(file);
    if (kind == KIND_MODULE || has_suffix(file, ".tilebc"))
        return KIND_MODULE;
    if (has_suffix(file, ".c"))
        return kind_of_c(h, file);
    if (has_suffix(file, ".h"))
        return kind_of_header(file);
    if (kind_is_foreign(file))
        return kind_may_hold_kernels(file) ? KIND_RECORDED : KIND_OTHER;
    return kind;
}

#include "driver/kinds.h"

#include <ctype.h>
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

static bool has_word(const char *text, const char *word)
{
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        char before = at > text ? at[-1] : ' ', after = at[strlen(word)];
        if (!isalnum((unsigned char)before) && before != '_' && !isalnum((unsigned char)after) &&
            after != '_')
            return true;
    }
    return false;
}

static bool names_kernels(tr_arena *arena, const char *text)
{
    if (!strstr(text, "tile_kernel"))
        return false;
    commented read = comments_read(arena, COMMENTS_C, text, strlen(text));
    bool names = has_word(read.code, "tile_kernel");
    comments_free(&read);
    return names;
}

/* #include <tile.h>, also from a folder and with quotes. */
static bool includes_tile_h(const char *text)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += strspn(line, "\n \t");
        if (*line != '#')
            continue;
        const char *word = line + 1 + strspn(line + 1, " \t");
        size_t length = strcspn(word, "\n");
        const char *name = strstr(word, "tile.h");
        if (strncmp(word, "include", 7) == 0 && name && name < word + length &&
            strchr("<\"/", name[-1]) && strchr(">\"", name[6]))
            return true;
    }
    return false;
}

static bool is_other_text(tr_arena *arena, const char *text, size_t length)
{
    if (!text || length != strlen(text))
        return false;
    return !includes_tile_h(text) && !names_kernels(arena, text);
}

bool kind_is_other_c(const char *file)
{
    tr_arena *arena = tr_arena_new();
    size_t length;
    const char *text = text_of(arena, file, &length);
    bool is = has_suffix(file, ".c") && is_other_text(arena, text, length);
    tr_arena_free(arena);
    return is;
}

/* In a folder there may be anything, as C in another encoding; what has none of the words is passed
 * over whether it is text or not. */
static file_kind kind_of_c(const char *file)
{
    tr_arena *arena = tr_arena_new();
    size_t length;
    const char *text = text_of(arena, file, &length);
    bool is_other =
        text && (!memmem(text, length, "tile", 4) || is_other_text(arena, text, length));
    tr_arena_free(arena);
    return is_other ? KIND_OTHER : KIND_SOURCE;
}

static file_kind kind_of_header(const char *file)
{
    tr_arena *arena = tr_arena_new();
    size_t length;
    const char *text = text_of(arena, file, &length);
    file_kind kind = text && names_kernels(arena, text) ? KIND_HEADER : KIND_OTHER;
    tr_arena_free(arena);
    return kind;
}

/* By the first bytes. */
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

file_kind kind_of(const char *file)
{
    file_kind kind = kind_of_bytes(file);
    if (kind == KIND_MODULE || has_suffix(file, ".tilebc"))
        return KIND_MODULE;
    if (has_suffix(file, ".c"))
        return kind_of_c(file);
    if (has_suffix(file, ".h"))
        return kind_of_header(file);
    if (kind_is_foreign(file))
        return kind_may_hold_kernels(file) ? KIND_RECORDED : KIND_OTHER;
    return kind;
}

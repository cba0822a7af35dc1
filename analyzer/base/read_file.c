/* Reads whole files. A file and its path may come from a stranger, so nothing is opened that could
 * block, and nothing is read that has no end. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

enum { MOST_FOLDERS = 8 }; /* above the working folder */

static const struct {
    uint64_t most;
    const char *what;
} kinds[] = {
#define FILE_KIND(id, most, what) {most, what},
#include "base/files.def"
};

uint64_t tr_file_most(tr_file_kind kind)
{
    return kinds[kind].most;
}

static const char *too_large(tr_arena *arena, tr_file_kind kind)
{
    return tr_arena_printf(arena, "it is larger than the %llu MiB that %s may have",
                           (unsigned long long)(kinds[kind].most >> 20), kinds[kind].what);
}

/* Reads up to the end, since files of /proc say that they are empty, and no further than the
 * limit. */
static char *read_open(tr_arena *arena, tr_file_kind kind, int file, size_t *length,
                       const char **why)
{
    struct stat about;
    if (fstat(file, &about) != 0) {
        *why = tr_arena_printf(arena, "cannot be looked at: %s", strerror(errno));
        return NULL;
    }
    if (!S_ISREG(about.st_mode)) {
        *why = S_ISDIR(about.st_mode) ? "it is a folder, not a file"
                                      : "it is a device or a pipe, not a file";
        return NULL;
    }
    tr_text bytes = {0};
    char piece[16 * 1024];
    ssize_t got = 1;
    bool fits = (uint64_t)about.st_size <= kinds[kind].most;
    while (fits && got > 0) {
        got = read(file, piece, sizeof piece);
        if (got > 0)
            tr_text_addn(&bytes, piece, (size_t)got);
        else if (got < 0 && errno == EINTR)
            got = 1;
        fits = bytes.length <= kinds[kind].most;
    }
    char *data = NULL;
    if (!fits)
        *why = too_large(arena, kind);
    else if (got < 0)
        *why = tr_arena_printf(arena, "reading the file failed: %s", strerror(errno));
    else
        data = tr_arena_strndup(arena, tr_text_get(&bytes), bytes.length);
    if (data && length)
        *length = bytes.length;
    tr_text_free(&bytes);
    return data;
}

char *tr_read_file(tr_arena *arena, tr_file_kind kind, const char *path, size_t *length,
                   const char **why)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        *why = tr_arena_printf(arena, "cannot open the file: %s", strerror(errno));
        return NULL;
    }
    char *data = read_open(arena, kind, file, length, why);
    close(file);
    return data;
}

char *tr_read_stream(tr_arena *arena, tr_file_kind kind, FILE *stream, size_t *length,
                     const char **why)
{
    tr_text bytes = {0};
    char piece[16 * 1024], *data = NULL;
    size_t got;
    while (bytes.length <= kinds[kind].most && (got = fread(piece, 1, sizeof piece, stream)) > 0)
        tr_text_addn(&bytes, piece, got);
    if (ferror(stream))
        *why = "standard input cannot be read";
    else if (bytes.length > kinds[kind].most)
        *why = too_large(arena, kind);
    else
        data = tr_arena_strndup(arena, tr_text_get(&bytes), bytes.length);
    if (data)
        *length = bytes.length;
    tr_text_free(&bytes);
    return data;
}

static char *read_source(tr_arena *arena, const char *path, size_t *length)
{
    const char *why;
    return tr_read_file(arena, TR_FILE_SOURCE, path, length, &why);
}

/* rustc names sources from the root of the workspace, and cargo runs tests in the package's folder
 * below it. */
static char *read_above(tr_arena *arena, const char *path, size_t *length)
{
    char *text = NULL;
    tr_text above = {0};
    for (int i = 0; i < MOST_FOLDERS && !text; i++) {
        tr_text_add(&above, "../");
        const char *manifest = tr_arena_printf(arena, "%sCargo.toml", tr_text_get(&above));
        if (access(manifest, F_OK) == 0)
            text = read_source(arena, tr_arena_printf(arena, "%s%s", tr_text_get(&above), path),
                               length);
    }
    tr_text_free(&above);
    return text;
}

char *tr_read_source(tr_arena *arena, const char *path, size_t *length)
{
    char *text = read_source(arena, path, length);
    return text || path[0] == '/' || !tr_ends_in(path, ".rs") ? text
                                                              : read_above(arena, path, length);
}

/* Sources that a module names. Whoever made the module chose the path, so nothing is opened that
 * could hang or has no end. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

enum { MOST_FOLDERS = 8 }; /* above the working folder */

static char *read_open(tr_arena *arena, int file, size_t *length)
{
    struct stat about;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > TR_MOST_SOURCE)
        return NULL;
    size_t size = (size_t)about.st_size, got = 0;
    char *text = tr_arena_alloc(arena, size + 1);
    for (ssize_t n = 1; got < size && n > 0; got += n > 0 ? (size_t)n : 0)
        n = read(file, text + got, size - got);
    text[got] = '\0';
    *length = got;
    return text;
}

static char *read_regular(tr_arena *arena, const char *path, size_t *length)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    char *text = file >= 0 ? read_open(arena, file, length) : NULL;
    if (file >= 0)
        close(file);
    return text;
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
            text = read_regular(arena, tr_arena_printf(arena, "%s%s", tr_text_get(&above), path),
                                length);
    }
    tr_text_free(&above);
    return text;
}

char *tr_read_source(tr_arena *arena, const char *path, size_t *length)
{
    char *text = read_regular(arena, path, length);
    return text || path[0] == '/' || !tr_ends_in(path, ".rs") ? text
                                                              : read_above(arena, path, length);
}

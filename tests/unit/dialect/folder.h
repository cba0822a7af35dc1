/* The sources of a data folder, in order of name. */
#ifndef FOLDER_H
#define FOLDER_H

#include <dirent.h>

#include "reading.h"

typedef struct folder {
    char **names; /* without `.c` */
    size_t n;
} folder;

static inline int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static inline folder folder_open(const char *path)
{
    folder f = {0};
    DIR *dir = opendir(path);
    assert_non_null(dir);
    f.names = calloc(1000, sizeof *f.names);
    for (struct dirent *entry; (entry = readdir(dir)) && f.n < 1000;) {
        size_t length = strlen(entry->d_name);
        if (length > 2 && strcmp(entry->d_name + length - 2, ".c") == 0)
            f.names[f.n++] = strndup(entry->d_name, length - 2);
    }
    closedir(dir);
    qsort(f.names, f.n, sizeof *f.names, by_name);
    return f;
}

static inline void folder_close(folder *f)
{
    for (size_t i = 0; i < f->n; i++)
        free(f->names[i]);
    free(f->names);
}

static inline reading read_path(const char *path)
{
    reading r = {.arena = tr_arena_new(), .ctx = smt_ctx_new()};
    r.errors = tr_errors_make(r.arena);
    dialect_options options = {.include_folder = TILERACE_SOURCE_DIR "/include"};
    r.ok = dialect_read(r.arena, r.ctx, path, &options, &r.unit, &r.errors);
    return r;
}

#endif

#include "base/base.h"

#include <string.h>
#include <sys/stat.h>

static bool is_same_file(const struct stat *file, const char *path)
{
    struct stat other;
    return stat(path, &other) == 0 && other.st_dev == file->st_dev && other.st_ino == file->st_ino;
}

const tr_unsaved_file *tr_unsaved_find(const tr_unsaved *unsaved, const char *path)
{
    struct stat file;
    if (!unsaved || !path)
        return NULL;
    for (size_t i = 0; i < unsaved->n; i++)
        if (strcmp(unsaved->files[i].path, path) == 0)
            return &unsaved->files[i];
    if (unsaved->n == 0 || stat(path, &file) != 0)
        return NULL;
    for (size_t i = 0; i < unsaved->n; i++)
        if (is_same_file(&file, unsaved->files[i].path))
            return &unsaved->files[i];
    return NULL;
}

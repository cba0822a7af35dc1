/* Finds which recorded modules belong to a source file, and whether it has changed since. */
#include "recordings/private.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same_file(const char *a, const char *b)
{
    struct stat one, two;
    return stat(a, &one) == 0 && stat(b, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}

/* Returns the file's name relative to the working folder, if it lies in there. */
static const char *relative(tr_arena *arena, const char *file)
{
    char *folder = realpath(".", NULL);
    const char *kept = folder ? tr_arena_strdup(arena, folder) : "";
    size_t length = strlen(kept);
    free(folder);
    if (length > 0 && strncmp(file, kept, length) == 0 && file[length] == '/')
        file += length + 1;
    while (strncmp(file, "./", 2) == 0)
        file += 2;
    return file;
}

bool recording_is_of(tr_arena *arena, const recorded_module *m, const char *file)
{
    if (!m->source)
        return false;
    if (access(m->source, F_OK) == 0)
        return same_file(m->source, file);
    const char *end = tr_arena_printf(arena, "/%s", relative(arena, file));
    size_t length = strlen(m->source), tail = strlen(end);
    return length >= tail && strcmp(m->source + length - tail, end) == 0;
}

bool recording_has_changed(tr_arena *arena, const recorded_module *m, const char *file)
{
    cJSON *about = cJSON_Parse(m->about);
    const char *then = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(about, "source_hash"));
    const char *now = recording_hash_of_file(arena, file);
    bool changed = !then || !now || strcmp(then, now) != 0;
    cJSON_Delete(about);
    return changed;
}

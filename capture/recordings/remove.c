#include "recordings/private.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Does a recording have files that end so, in that folder of it? */
static bool is_of_recording(const char *name, const char *const *ends)
{
    size_t length = strlen(name);
    for (; *ends; ends++) {
        size_t tail = strlen(*ends);
        if (length >= tail && strcmp(name + length - tail, *ends) == 0)
            return true;
    }
    return false;
}

static bool remove_file(tr_arena *arena, const char *path, const char **why)
{
    if (unlink(path) == 0 || errno == ENOENT)
        return true;
    *why = tr_arena_printf(arena, "%s cannot be removed: %s", path, strerror(errno));
    return false;
}

/* A link is removed, what it leads to is not. */
static bool remove_folder(tr_arena *arena, const char *folder, const char *const *ends,
                          const char **why)
{
    struct stat info;
    if (lstat(folder, &info) != 0)
        return true;
    if (!S_ISDIR(info.st_mode))
        return remove_file(arena, folder, why);
    DIR *open = opendir(folder);
    bool good = open != NULL;
    for (struct dirent *entry; good && (entry = readdir(open));)
        if (is_of_recording(entry->d_name, ends))
            good = remove_file(arena, tr_arena_printf(arena, "%s/%s", folder, entry->d_name), why);
    if (open)
        closedir(open);
    if (good && rmdir(folder) == 0)
        return true;
    if (good)
        *why = errno == ENOTEMPTY || errno == EEXIST
                   ? tr_arena_printf(arena, "%s holds files that are of no recording", folder)
                   : tr_arena_printf(arena, "%s cannot be removed: %s", folder, strerror(errno));
    return false;
}

bool recording_remove(tr_arena *arena, const char *folder, const char **why)
{
    static const char *const of_modules[] = {".tilebc", ".json", ".part", NULL};
    static const char *const of_launches[] = {".json", ".bin", ".part", NULL};
    static const char *const of_root[] = {".gitignore", ".part", NULL};
    *why = tr_arena_printf(arena, "%s is not a recording", folder);
    return recording_is(folder) &&
           remove_folder(arena, tr_arena_printf(arena, "%s/launches", folder), of_launches, why) &&
           remove_folder(arena, tr_arena_printf(arena, "%s/modules", folder), of_modules, why) &&
           remove_file(arena, tr_arena_printf(arena, "%s/" RECORDING_INDEX, folder), why) &&
           remove_folder(arena, folder, of_root, why);
}

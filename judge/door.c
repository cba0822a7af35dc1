#include "judge/door.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

const judge_door *judge_door_make(tr_arena *arena, size_t n, const char *const *folders,
                                  const char **why)
{
    const char **roots = TR_NEW_ARRAY(arena, const char *, n + 1);
    judge_door *door = TR_NEW(arena, judge_door);
    for (size_t i = 0; i < n; i++) {
        char real[PATH_MAX];
        if (!realpath(folders[i], real)) {
            *why = tr_arena_printf(arena, "--root: %s: %s", folders[i], strerror(errno));
            return NULL;
        }
        roots[i] = tr_arena_strdup(arena, real);
    }
    *door = (judge_door){n, roots};
    return door;
}

static bool lies_in(const char *path, const char *root)
{
    size_t n = strlen(root);
    bool is_all = n == 1; /* "/" */
    return strncmp(path, root, n) == 0 && (is_all || path[n] == '/' || path[n] == 0);
}

bool judge_door_admits(const judge_door *door, const char *path)
{
    char real[PATH_MAX];
    if (!door)
        return true;
    if (!realpath(path, real))
        return errno == ENOENT || errno == ENOTDIR;
    for (size_t i = 0; i < door->n_roots; i++)
        if (lies_in(real, door->roots[i]))
            return true;
    return false;
}

/* Keys of a launch whose values name files; "FILE:KERNEL" among them. */
static bool names_file(const char *key)
{
    static const char *const keys[] = {"file", "kernel", "reference"};
    for (size_t i = 0; key && i < TR_COUNT(keys); i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

const char *judge_door_stranger(tr_arena *arena, const judge_door *door, const char *folder,
                                const struct cJSON *launch)
{
    const cJSON *item;
    const char *found = NULL;
    cJSON_ArrayForEach(item, launch)
    {
        if (found)
            return found;
        if (!cJSON_IsString(item) || !names_file(item->string)) {
            found = judge_door_stranger(arena, door, folder, item);
            continue;
        }
        const char *path = tr_path_from(arena, folder, item->valuestring);
        const char *colon = strrchr(path, ':');
        const char *file = colon ? tr_arena_strndup(arena, path, (size_t)(colon - path)) : path;
        if (!judge_door_admits(door, path) || !judge_door_admits(door, file))
            found = path;
    }
    return found;
}

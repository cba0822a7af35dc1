#include "base/installed.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The dynamic loader names libraries by their path,
 * and the program itself by nothing. */
const char *tr_own_file(tr_arena *arena)
{
    Dl_info info;
    struct link_map *map = NULL;
    /* A link_map's own pointer is what RTLD_DL_LINKMAP gives. */
    bool is_known = dladdr1((void *)(size_t)&tr_installation_root, &info, (void **)&map,
                            RTLD_DL_LINKMAP) != 0 &&
                    map != NULL;
    const char *path = is_known && map->l_name[0] ? map->l_name : "/proc/self/exe";
    char real[PATH_MAX];
    return realpath(path, real) ? tr_arena_strdup(arena, real) : NULL;
}

/* The path without its last part, and that part. */
static const char *split(tr_arena *arena, const char *path, const char **last)
{
    const char *slash = strrchr(path, '/');
    *last = slash + 1;
    return slash == path ? "/" : tr_arena_strndup(arena, path, (size_t)(slash - path));
}

const char *tr_installation_root(tr_arena *arena)
{
    const char *file = tr_own_file(arena), *name;
    if (!file)
        return NULL;
    const char *folder = split(arena, file, &name);
    if (strcmp(folder, "/") == 0)
        return folder;
    const char *above = split(arena, folder, &name), *above_name;
    if (strcmp(name, "bin") == 0 || strncmp(name, "lib", 3) == 0)
        return above;
    if (strcmp(above, "/") != 0) {
        const char *top = split(arena, above, &above_name);
        if (strcmp(above_name, "lib") == 0)
            return top; /* ROOT/lib/x86_64-linux-gnu */
    }
    return folder; /* a build folder */
}

const char *tr_find_installed(tr_arena *arena, const char *const *places)
{
    const char *root = tr_installation_root(arena);
    for (; root && *places; places++) {
        char real[PATH_MAX];
        const char *path = tr_arena_printf(arena, "%s/%s", root, *places);
        if (realpath(path, real) && access(real, R_OK) == 0)
            return tr_arena_strdup(arena, real);
    }
    return NULL;
}

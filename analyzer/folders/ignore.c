#include "folders/ignore.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/ds.h"
#include "folders/pattern.h"

typedef struct ignore_level {
    tr_arena *arena;
    patterns lines;
    const char *path; /* from the root's folder on, with a slash behind it; "" of the root */
    bool is_root;
} ignore_level;

struct ignore_stack {
    ignore_level *levels; /* stb_ds array, the outermost first */
};

tr_give ignore_stack *ignore_open(void)
{
    ignore_stack *g = calloc(1, sizeof *g);
    if (!g)
        tr_no_memory();
    return g;
}

void ignore_leave(ignore_stack *g)
{
    ignore_level last = arrpop(g->levels);
    tr_arena_free(last.arena);
}

void ignore_close(tr_take ignore_stack *g)
{
    if (!g)
        return;
    while (arrlenu(g->levels) > 0)
        ignore_leave(g);
    arrfree(g->levels);
    free(g);
}

bool ignore_is_root(const char *folder)
{
    tr_arena *arena = tr_arena_new();
    struct stat info;
    bool is = lstat(tr_arena_printf(arena, "%s/.git", folder), &info) == 0;
    tr_arena_free(arena);
    return is;
}

static const char *name_in(const char *folder)
{
    const char *slash = strrchr(folder, '/');
    return slash ? slash + 1 : folder;
}

/* Git does not follow a link either. */
static void read_patterns(ignore_level *level, const char *file, tr_errors *warnings)
{
    const char *why = "it is a symbolic link, which git does not follow", *text = NULL;
    size_t length = 0;
    struct stat info;
    if (lstat(file, &info) != 0)
        return;
    if (!S_ISLNK(info.st_mode))
        text = tr_read_file(level->arena, TR_FILE_PATTERNS, file, &length, &why);
    tr_place place = {.file = tr_arena_strdup(warnings->arena, file)};
    if (text)
        patterns_add_file(level->arena, &level->lines, text, length);
    else
        tr_errors_add(warnings, &place, "%s, so its patterns do not count", why);
}

void ignore_enter(ignore_stack *g, const char *folder, tr_errors *warnings)
{
    ignore_level level = {.arena = tr_arena_new()};
    const ignore_level *above = arrlenu(g->levels) > 0 ? &arrlast(g->levels) : NULL;
    level.is_root = !above || ignore_is_root(folder);
    level.path =
        level.is_root ? "" : tr_arena_printf(level.arena, "%s%s/", above->path, name_in(folder));
    read_patterns(&level, tr_arena_printf(level.arena, "%s/.gitignore", folder), warnings);
    arrput(g->levels, level);
}

/* The folder above; false: there is none. */
static bool cut_last(char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash || !slash[1])
        return false;
    slash[slash == path] = 0;
    return true;
}

void ignore_enter_above(ignore_stack *g, const char *folder, tr_errors *warnings)
{
    tr_arena *arena = tr_arena_new();
    char *path = tr_arena_strdup(arena, folder);
    const char **above = NULL; /* the innermost first */
    bool found = ignore_is_root(path);
    while (!found && cut_last(path)) {
        arrput(above, tr_arena_strdup(arena, path));
        found = ignore_is_root(path);
    }
    for (size_t i = arrlenu(above); found && i-- > 0;)
        ignore_enter(g, above[i], warnings);
    arrfree(above);
    tr_arena_free(arena);
}

bool ignore_has(const ignore_stack *g, const char *name, bool is_folder)
{
    size_t n = arrlenu(g->levels);
    tr_arena *arena = tr_arena_new();
    const pattern *found = NULL;
    const char *path = n > 0 ? tr_arena_printf(arena, "%s%s", g->levels[n - 1].path, name) : name;
    for (size_t i = n; i-- > 0 && !found;) {
        found = patterns_find(&g->levels[i].lines, path + strlen(g->levels[i].path), is_folder);
        if (g->levels[i].is_root)
            break;
    }
    bool is = found && !found->negated;
    tr_arena_free(arena);
    return is;
}

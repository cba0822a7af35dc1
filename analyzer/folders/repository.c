#include "folders/repository.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ds.h"
#include "base/real_path.h"
#include "folders/ignore.h"

const char *repository_root(tr_arena *arena, const char *folder)
{
    char *at = tr_arena_strdup(arena, folder ? folder : ".");
    for (;;) {
        struct stat info; /* a folder; of a linked work tree, a file */
        if (stat(tr_arena_printf(arena, "%s/.git", at), &info) == 0)
            return at;
        char *slash = strrchr(at, '/');
        if (!slash)
            return folder ? folder : ".";
        *slash = 0;
    }
}

/* NULL: there is none. */
static const char *above(tr_arena *arena, const char *folder)
{
    const char *slash = strrchr(folder, '/');
    if (!slash || !slash[1])
        return NULL;
    return tr_folder_of(arena, folder);
}

const char *repository_around(tr_arena *arena, const char *folder)
{
    for (; folder; folder = above(arena, folder))
        if (ignore_is_root(folder))
            return folder;
    return NULL;
}

bool repository_trusts(const char *folder, const char *below)
{
    struct stat here, there;
    return stat(folder, &here) == 0 && (here.st_mode & S_IWOTH) == 0 &&
           (!below || (stat(below, &there) == 0 && here.st_uid == there.st_uid));
}

const char *repository_above(tr_arena *arena, const char *root, const char *folder)
{
    const char *up = above(arena, folder);
    bool goes_on = up && (root ? strcmp(root, folder) != 0 : repository_trusts(up, folder));
    return goes_on ? up : NULL;
}

/* An absolute path without links, as far as it is there. */
static const char *real_name(tr_arena *arena, const char *file)
{
    char *whole = tr_real_path(file);
    const char *name = file;
    if (whole) {
        name = tr_arena_strdup(arena, whole);
    } else if (file[0] != '/') {
        char *folder = getcwd(NULL, 0);
        name = folder ? tr_arena_printf(arena, "%s/%s", folder, file) : file;
        free(folder);
    }
    free(whole);
    return name;
}

/* The parts between slashes, with ".." carried out; stb_ds array. */
static const char **parts_of(tr_arena *arena, const char *path)
{
    const char **parts = NULL;
    for (const char *at = path + strspn(path, "/"); *at; at += strspn(at, "/")) {
        size_t length = strcspn(at, "/");
        const char *part = tr_arena_strndup(arena, at, length);
        if (strcmp(part, "..") == 0) {
            if (arrlenu(parts) > 0)
                (void)arrpop(parts);
        } else if (strcmp(part, ".") != 0) {
            arrput(parts, part);
        }
        at += length;
    }
    return parts;
}

const char *repository_name(tr_arena *arena, const char *root, const char *file)
{
    const char **from = parts_of(arena, real_name(arena, root));
    const char **to = parts_of(arena, real_name(arena, file));
    size_t same = 0;
    while (same < arrlenu(from) && same < arrlenu(to) && strcmp(from[same], to[same]) == 0)
        same++;
    const char *name = "";
    for (size_t i = same; i < arrlenu(from); i++)
        name = tr_arena_printf(arena, "../%s", name);
    for (size_t i = same; i < arrlenu(to); i++)
        name = tr_arena_printf(arena, "%s%s%s", name, to[i], i + 1 < arrlenu(to) ? "/" : "");
    arrfree(from);
    arrfree(to);
    return *name ? name : ".";
}

bool repository_holds(const char *name)
{
    if (name[0] == '/')
        return false;
    for (const char *at = name; *at;) {
        size_t length = strcspn(at, "/");
        if (length == 2 && strncmp(at, "..", 2) == 0)
            return false;
        at += length + (at[length] == '/');
    }
    return true;
}

#include "recordings/private.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json/print.h"
#include "json/take.h"

struct recording {
    const char *folder;
};

/* A file's name says what it holds, so one that is there stays. */
static bool write_file(tr_arena *arena, const char *path, const void *data, size_t size,
                       const char **why)
{
    return access(path, F_OK) == 0 || tr_write_whole(arena, path, data, size, why);
}

static bool make_folder(tr_arena *arena, const char *path, const char **why)
{
    struct stat info;
    if (mkdir(path, 0777) == 0 ||
        (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
        return true;
    *why = tr_arena_printf(arena, "%s cannot be written: %s", path, strerror(errno));
    return false;
}

/* ---- Section: The folder ---- */

static bool is_name_of_ours(const char *name)
{
    static const char *const names[] = {".", "..", ".gitignore", "modules", "launches"};
    for (size_t i = 0; i < TR_COUNT(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return strncmp(name, RECORDING_INDEX, strlen(RECORDING_INDEX)) == 0 ||
           strncmp(name, ".gitignore.", strlen(".gitignore.")) == 0; /* unfinished */
}

/* A folder in which nothing else is: another writer may just be making it. */
static bool is_free_or_ours(tr_arena *arena, const char *folder, const char **why)
{
    DIR *open = opendir(folder);
    bool is = open || errno == ENOENT;
    for (struct dirent *entry; open && (entry = readdir(open));)
        is = is && is_name_of_ours(entry->d_name);
    if (open)
        closedir(open);
    if (!is && !recording_is(folder)) {
        *why = tr_arena_printf(arena, "%s is there and is not a recording", folder);
        return false;
    }
    return true;
}

recording *recording_open(tr_arena *arena, const char *folder, const char **why)
{
    static const char nothing_for_git[] = "*\n";
    if (!is_free_or_ours(arena, folder, why))
        return NULL;
    const char *index = tr_arena_printf(arena, RECORDING_INDEX_FORMAT, RECORDING_VERSION);
    bool good = make_folder(arena, folder, why) &&
                make_folder(arena, tr_arena_printf(arena, "%s/modules", folder), why) &&
                make_folder(arena, tr_arena_printf(arena, "%s/launches", folder), why) &&
                write_file(arena, tr_arena_printf(arena, "%s/.gitignore", folder), nothing_for_git,
                           sizeof nothing_for_git - 1, why) &&
                write_file(arena, tr_arena_printf(arena, "%s/" RECORDING_INDEX, folder), index,
                           strlen(index), why);
    if (!good)
        return NULL;
    recording *r = TR_NEW(arena, recording);
    r->folder = tr_arena_strdup(arena, folder);
    return r;
}

/* ---- Section: What is added ---- */

/* Returns what the front end said, and what its source was then. */
static const char *about_module(tr_arena *arena, const char *about)
{
    cJSON *root = json_take(arena, about, strlen(about), JSON_ALL_DIGITS, NULL);
    if (!cJSON_IsObject(root)) {
        cJSON_Delete(root);
        root = cJSON_CreateObject();
    }
    const char *file = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "file"));
    const char *hash = file ? recording_hash_of_file(arena, file) : NULL;
    cJSON_DeleteItemFromObjectCaseSensitive(root, "source_hash");
    if (hash)
        cJSON_AddStringToObject(root, "source_hash", hash);
    char *printed = json_printed(root, JSON_LINES);
    const char *kept = tr_arena_printf(arena, "%s\n", printed);
    cJSON_free(printed);
    cJSON_Delete(root);
    return kept;
}

/* Names are part of a module: two of the same bytes may have others. */
const char *recording_add_module(recording *r, tr_arena *arena, const void *bytes, size_t size,
                                 const char *about, const char **why)
{
    const char *text = about_module(arena, about);
    const char *key =
        recording_hash(arena, 2, (const recording_part[]){{bytes, size}, {text, strlen(text)}});
    const char *path = tr_arena_printf(arena, "%s/modules/%s", r->folder, key);
    bool good =
        write_file(arena, tr_arena_printf(arena, "%s.json", path), text, strlen(text), why) &&
        write_file(arena, tr_arena_printf(arena, "%s.tilebc", path), bytes, size, why);
    return good ? key : NULL;
}

bool recording_add_launch(recording *r, tr_arena *arena, const char *module,
                          const char *launch_contract, const char **why)
{
    recording_part part = {launch_contract, strlen(launch_contract)};
    const char *path = tr_arena_printf(arena, "%s/launches/%s.%s.json", r->folder, module,
                                       recording_hash(arena, 1, &part));
    return write_file(arena, path, launch_contract, strlen(launch_contract), why);
}

const char *recording_add_contents(recording *r, tr_arena *arena, const void *bytes, size_t size,
                                   const char **why)
{
    recording_part part = {bytes, size};
    const char *name = tr_arena_printf(arena, "%s.bin", recording_hash(arena, 1, &part));
    const char *path = tr_arena_printf(arena, "%s/launches/%s", r->folder, name);
    return write_file(arena, path, bytes, size, why) ? name : NULL;
}

#include "recordings/private.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    MOST_FILES = 1 << 20,
    MOST_LAUNCH_BYTES = 1 << 20,
};

typedef struct reading {
    tr_arena *arena;
    const char *folder;
    tr_errors *errors;
    size_t n_wrong;
} reading;

static void complain(reading *r, const char *path, const char *what)
{
    tr_place place = {.file = path};
    tr_errors_add(r->errors, &place, "%s", what);
    r->n_wrong++;
}

static const char *string_at(const cJSON *object, const char *key)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

/* ---- Section: The index ---- */

static cJSON *read_json(reading *r, const char *path)
{
    size_t length;
    const char *why;
    struct stat info;
    if (stat(path, &info) == 0 && info.st_size > MOST_LAUNCH_BYTES) {
        complain(r, path, "is too large to be part of a recording");
        return NULL;
    }
    const char *text = tr_read_file(r->arena, path, &length, &why);
    if (!text) {
        complain(r, path, why);
        return NULL;
    }
    cJSON *root = cJSON_Parse(text);
    if (!cJSON_IsObject(root)) {
        cJSON_Delete(root);
        complain(r, path, "is cut or was edited: this is no JSON object");
        return NULL;
    }
    return root;
}

bool recording_is(const char *folder)
{
    tr_arena *arena = tr_arena_new();
    struct stat info;
    bool is = stat(tr_arena_printf(arena, "%s/" RECORDING_INDEX, folder), &info) == 0;
    is = is && stat(tr_arena_printf(arena, "%s/modules", folder), &info) == 0;
    tr_arena_free(arena);
    return is;
}

static bool check_index(reading *r)
{
    const char *path = tr_arena_printf(r->arena, "%s/" RECORDING_INDEX, r->folder);
    cJSON *index = read_json(r, path);
    if (!index)
        return false;
    const char *format = string_at(index, "format");
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(index, "version");
    bool is_ours = format && strcmp(format, RECORDING_KIND) == 0 && cJSON_IsNumber(version);
    bool good = is_ours && version->valuedouble == RECORDING_VERSION;
    if (!is_ours)
        complain(r, path, "is not the index of a recording");
    else if (!good)
        complain(r, path,
                 tr_arena_printf(r->arena, "is of version %.0f; this program reads version %d",
                                 version->valuedouble, RECORDING_VERSION));
    cJSON_Delete(index);
    return good;
}

/* ---- Section: Folders ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names in a folder of the recording that end so, sorted. */
static const char **names_in(reading *r, const char *folder, const char *end, size_t *n)
{
    const char *path = tr_arena_printf(r->arena, "%s/%s", r->folder, folder);
    DIR *open = opendir(path);
    const char **names = NULL;
    size_t room = 0;
    *n = 0;
    if (!open) {
        complain(r, path, strerror(errno));
        return NULL;
    }
    for (struct dirent *entry; (entry = readdir(open)) && *n < MOST_FILES;) {
        size_t length = strlen(entry->d_name), tail = strlen(end);
        if (length <= tail || strcmp(entry->d_name + length - tail, end) != 0)
            continue;
        if (*n == room) {
            const char **more = TR_NEW_ARRAY(r->arena, const char *, 2 * room + 16);
            if (*n > 0)
                memcpy(more, names, *n * sizeof *names);
            names = more;
            room = 2 * room + 16;
        }
        names[(*n)++] = tr_arena_strndup(r->arena, entry->d_name, length - tail);
    }
    closedir(open);
    if (*n > 1)
        qsort(names, *n, sizeof *names, by_name);
    return names;
}

/* ---- Section: Modules ---- */

static void read_about(reading *r, const char *key, recorded_module *m)
{
    const char *path = tr_arena_printf(r->arena, "%s/modules/%s.json", r->folder, key);
    cJSON *about = read_json(r, path);
    m->about = "";
    if (!about)
        return;
    char *printed = cJSON_PrintUnformatted(about);
    m->about = tr_arena_strdup(r->arena, printed);
    cJSON_free(printed);
    const char *file = string_at(about, "file"), *then = string_at(about, "source_hash");
    const char *now = file && then ? recording_hash_of_file(r->arena, file) : NULL;
    m->source = file ? tr_arena_strdup(r->arena, file) : NULL;
    m->is_stale = now && strcmp(now, then) != 0;
    cJSON_Delete(about);
}

/* Moves the launches of one file to those of the module. */
static size_t take_launches(reading *r, const char *path, cJSON *all)
{
    cJSON *root = read_json(r, path);
    cJSON *launches = cJSON_GetObjectItemCaseSensitive(root, "launches");
    size_t n = 0;
    if (root && !cJSON_IsArray(launches))
        complain(r, path, "is cut or was edited: it states no launches");
    while (cJSON_GetArraySize(launches) > 0) {
        cJSON_AddItemToArray(all, cJSON_DetachItemFromArray(launches, 0));
        n++;
    }
    cJSON_Delete(root);
    return n;
}

/* `names` are sorted, so a module's launches follow one another from *at on. */
static void read_launches(reading *r, const char *key, size_t n, const char *const *names,
                          size_t *at, recorded_module *m)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "version", 2);
    cJSON *all = cJSON_AddArrayToObject(root, "launches");
    size_t length = strlen(key);
    while (*at < n && strncmp(names[*at], key, length) < 0)
        ++*at;
    for (; *at < n && strncmp(names[*at], key, length) == 0; ++*at) {
        const char *path = tr_arena_printf(r->arena, "%s/launches/%s.json", r->folder, names[*at]);
        m->n_launches += take_launches(r, path, all);
    }
    if (m->n_launches > 0) {
        char *printed = cJSON_PrintUnformatted(root);
        m->launches = tr_arena_strdup(r->arena, printed);
        m->launches_shown = tr_arena_printf(r->arena, "%s/launches/%s", r->folder, key);
        cJSON_free(printed);
    }
    cJSON_Delete(root);
}

const recorded_folder *recording_read(tr_arena *arena, const char *folder, tr_errors *errors)
{
    reading r = {.arena = arena, .folder = folder, .errors = errors};
    size_t n, n_launches, at = 0;
    if (!check_index(&r))
        return NULL;
    const char **keys = names_in(&r, "modules", ".tilebc", &n);
    const char **launches = names_in(&r, "launches", ".json", &n_launches);
    recorded_folder *all = TR_NEW(arena, recorded_folder);
    recorded_module *modules = TR_NEW_ARRAY(arena, recorded_module, n + 1);
    for (size_t i = 0; i < n; i++) {
        modules[i].path = tr_arena_printf(arena, "%s/modules/%s.tilebc", folder, keys[i]);
        read_about(&r, keys[i], &modules[i]);
        read_launches(&r, keys[i], n_launches, launches, &at, &modules[i]);
    }
    *all = (recorded_folder){.n = n, .modules = modules, .n_wrong = r.n_wrong};
    return all;
}

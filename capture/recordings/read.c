#include "recordings/private.h"

#include "json/print.h"
#include "json/take.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    MOST_FILES = 1 << 20,
    MOST_FILE_BYTES = 64 << 20,
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

/* ---- Section: Files are what their names say ---- */

static const char *read_file(reading *r, const char *path, size_t *length)
{
    const char *why;
    struct stat info;
    bool is_there = stat(path, &info) == 0;
    if (is_there && !S_ISREG(info.st_mode)) { /* a pipe or a device may have no end */
        complain(r, path, "is not a regular file");
        return NULL;
    }
    if (is_there && info.st_size > MOST_FILE_BYTES) {
        complain(r, path, "is too large to be part of a recording");
        return NULL;
    }
    const char *bytes = tr_read_file(r->arena, TR_FILE_RECORDED, path, length, &why);
    if (!bytes)
        complain(r, path, why);
    return bytes;
}

static bool is_held(reading *r, const char *path, const char *name, size_t n,
                    const recording_part *parts)
{
    if (strncmp(name, recording_hash(r->arena, n, parts), RECORDING_HASH_LENGTH) == 0)
        return true;
    complain(r, path, "is cut or was edited: it is not what was recorded");
    return false;
}

/* The file's bytes where they are what `name` says; else NULL. */
static const char *read_held(reading *r, const char *path, const char *name, size_t *length)
{
    const char *bytes = read_file(r, path, length);
    recording_part part = {bytes, bytes ? *length : 0};
    return bytes && is_held(r, path, name, 1, &part) ? bytes : NULL;
}

/* NULL after a complaint. */
static cJSON *read_json(reading *r, const char *path, const char *text, size_t length)
{
    json_fault fault;
    cJSON *root = json_take(r->arena, text, length, JSON_ALL_DIGITS, &fault);
    if (!root)
        complain(r, path, json_fault_text(r->arena, &fault));
    return root;
}

/* ---- Section: The index ---- */

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
    size_t length;
    const char *text = read_file(r, path, &length);
    if (!text)
        return false;
    cJSON *index = json_take(r->arena, text, length, JSON_ALL_DIGITS, NULL);
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

static void take_about(reading *r, const char *path, const recording_part *part, recorded_module *m)
{
    const char *text = part->bytes;
    cJSON *about = read_json(r, path, text, part->size);
    if (!about)
        return;
    const char *file = string_at(about, "file"), *then = string_at(about, "source_hash");
    const char *now = file && then ? recording_hash_of_file(r->arena, file) : NULL;
    m->source = file ? tr_arena_strdup(r->arena, file) : NULL;
    m->is_stale = now && strcmp(now, then) != 0;
    m->about = text;
    cJSON_Delete(about);
}

static void read_module(reading *r, const char *key, recorded_module *m)
{
    const char *about = tr_arena_printf(r->arena, "%s/modules/%s.json", r->folder, key);
    recording_part parts[2] = {0};
    m->path = tr_arena_printf(r->arena, "%s/modules/%s.tilebc", r->folder, key);
    m->about = "";
    parts[0].bytes = read_file(r, m->path, &parts[0].size);
    parts[1].bytes = read_file(r, about, &parts[1].size);
    if (parts[0].bytes && parts[1].bytes && is_held(r, m->path, key, 2, parts))
        take_about(r, about, &parts[1], m);
}

/* ---- Section: Launches ---- */

/* Moves the launches of one file to those of the module. */
static void take_launches(reading *r, const char *path, const char *text, size_t length, cJSON *all)
{
    cJSON *root = read_json(r, path, text, length);
    cJSON *launches = cJSON_GetObjectItemCaseSensitive(root, "launches");
    while (cJSON_GetArraySize(launches) > 0)
        cJSON_AddItemToArray(all, cJSON_DetachItemFromArray(launches, 0));
    cJSON_Delete(root);
}

static const char *path_of_launch(const reading *r, const char *name)
{
    return tr_arena_printf(r->arena, "%s/launches/%s.json", r->folder, name);
}

/* `names` are sorted, so a module's launches follow one another from *at on. */
static void read_launches(reading *r, const char *key, size_t n, const char *const *names,
                          size_t *at, recorded_module *m)
{
    enum { OF_MODULE = RECORDING_HASH_LENGTH + 1 }; /* "MODULE." */
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "version", 2);
    cJSON *all = cJSON_AddArrayToObject(root, "launches");
    for (; *at < n && strncmp(names[*at], key, RECORDING_HASH_LENGTH) < 0; ++*at)
        complain(r, path_of_launch(r, names[*at]), "is of a module that is not there");
    for (; *at < n && strncmp(names[*at], key, RECORDING_HASH_LENGTH) == 0; ++*at) {
        bool is_named = strlen(names[*at]) == OF_MODULE + RECORDING_HASH_LENGTH;
        const char *path = path_of_launch(r, names[*at]);
        size_t length;
        const char *text = is_named ? read_held(r, path, names[*at] + OF_MODULE, &length) : NULL;
        if (text)
            take_launches(r, path, text, length, all);
    }
    m->n_launches = (size_t)cJSON_GetArraySize(all);
    if (m->n_launches > 0) {
        char *printed = json_printed(root, JSON_ONE_LINE);
        m->launches = tr_arena_strdup(r->arena, printed);
        m->launches_shown = tr_arena_printf(r->arena, "%s/launches/%s", r->folder, key);
        cJSON_free(printed);
    }
    cJSON_Delete(root);
}

static void check_contents(reading *r)
{
    size_t n, length;
    const char **names = names_in(r, "launches", ".bin", &n);
    for (size_t i = 0; i < n; i++)
        read_held(r, tr_arena_printf(r->arena, "%s/launches/%s.bin", r->folder, names[i]), names[i],
                  &length);
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
        read_module(&r, keys[i], &modules[i]);
        read_launches(&r, keys[i], n_launches, launches, &at, &modules[i]);
    }
    for (; at < n_launches; at++)
        complain(&r, path_of_launch(&r, launches[at]), "is of a module that is not there");
    check_contents(&r);
    *all = (recorded_folder){.n = n, .modules = modules, .n_wrong = r.n_wrong};
    return all;
}

#include "builds/compile_db.h"

#include <cjson/cJSON.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/ds.h"
#include "base/real_path.h"
#include "builds/words.h"
#include "dialect/dialect.h"
#include "folders/repository.h"
#include "json/take.h"
#include "lookups/lookups.h"
#include "settings/configs.h"

#define NAME "compile_commands.json"

struct build_db {
    cJSON *root; /* an array of objects */
};

typedef struct known_db { /* stb_ds map entry */
    char *key;            /* all that a change of the file changes */
    build_db *value;      /* NULL: it is wrong */
} known_db;

struct build_dbs {
    pthread_mutex_t lock;
    known_db *known;
};

static const char *why_no_array(tr_arena *arena, const char *path, const char *text,
                                const json_fault *fault)
{
    const char *what = tr_arena_printf(arena, "%s is not a JSON array of compile commands", path);
    size_t line = 1;
    for (size_t i = 0; fault && i < fault->at; i++)
        line += text[i] == '\n';
    if (!fault || fault->kind == JSON_IS_NONE)
        return what;
    return tr_arena_printf(arena, "%s, line %zu: %s", what, line, json_fault_text(arena, fault));
}

static build_db *read_db(tr_arena *arena, const char *path, const char *hint, const char **why)
{
    size_t length = 0;
    char *text = tr_read_file(arena, TR_FILE_COMMANDS, path, &length, why);
    if (!text) {
        *why = tr_arena_printf(arena, "%s cannot be read (%s)%s", path, *why ? *why : "not there",
                               hint);
        return NULL;
    }
    json_fault fault;
    cJSON *root = json_take(arena, text, length, JSON_LONG_AS_TEXT, &fault);
    if (!cJSON_IsArray(root)) {
        *why = why_no_array(arena, path, text, root ? NULL : &fault);
        cJSON_Delete(root);
        return NULL;
    }
    build_db *db = malloc(sizeof *db);
    if (!db)
        tr_no_memory();
    db->root = root;
    return db;
}

build_db *build_db_read(tr_arena *arena, const char *folder, const char **why)
{
    return read_db(arena, tr_arena_printf(arena, "%s/" NAME, folder),
                   "; CMake writes it when configured with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                   why);
}

void build_db_free(build_db *db)
{
    if (!db)
        return;
    cJSON_Delete(db->root);
    free(db);
}

/* ---- Section: The nearest one ---- */

tr_give build_dbs *build_dbs_open(void)
{
    build_dbs *dbs = calloc(1, sizeof *dbs);
    if (!dbs)
        tr_no_memory();
    pthread_mutex_init(&dbs->lock, NULL);
    sh_new_strdup(dbs->known);
    return dbs;
}

void build_dbs_close(tr_take build_dbs *dbs)
{
    if (!dbs)
        return;
    for (ptrdiff_t i = 0; i < shlen(dbs->known); i++)
        build_db_free(dbs->known[i].value);
    shfree(dbs->known);
    pthread_mutex_destroy(&dbs->lock);
    free(dbs);
}

/* NULL: nothing of that name is there. */
static const char *state_of(tr_arena *arena, const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0)
        return NULL;
    if (stat(path, &info) != 0)
        info = (struct stat){0}; /* a link to nothing */
    return tr_arena_printf(arena, "%s %ju %ju %jd %jd %ld %jd %ld", path, (uintmax_t)info.st_dev,
                           (uintmax_t)info.st_ino, (intmax_t)info.st_size,
                           (intmax_t)info.st_mtim.tv_sec, info.st_mtim.tv_nsec,
                           (intmax_t)info.st_ctim.tv_sec, info.st_ctim.tv_nsec);
}

/* Takes a database that was read before, or reads it. Either counts as a look-up of the file, since
 * results depend on it. */
static const build_db *take(build_dbs *dbs, tr_arena *arena, const char *path, const char *state,
                            const char **why)
{
    pthread_mutex_lock(&dbs->lock);
    known_db *known = dbs->known;
    ptrdiff_t at = shgeti(known, state);
    build_db *db = at >= 0 ? known[at].value : NULL;
    if (db) {
        lookups_saw(LOOKUP_CONTENT, 0, path);
    } else {
        db = read_db(arena, path, "", why);
        if (db)
            shput(dbs->known, state, db);
    }
    pthread_mutex_unlock(&dbs->lock);
    return db;
}

const build_db *build_dbs_find(build_dbs *dbs, tr_arena *arena, const char *file, const char **path,
                               const char **why)
{
    static const char *const names[] = {NAME, "build/" NAME};
    const char *folder = configs_folder_of(arena, file);
    const char *root = repository_around(arena, folder);
    *why = NULL;
    if (!root && !repository_trusts(folder, NULL))
        return NULL;
    for (; folder; folder = repository_above(arena, root, folder))
        for (size_t i = 0; i < TR_COUNT(names); i++) {
            const char *slash = strcmp(folder, "/") == 0 ? "" : "/";
            *path = tr_arena_printf(arena, "%s%s%s", folder, slash, names[i]);
            const char *state = state_of(arena, *path);
            if (state)
                return take(dbs, arena, *path, state, why);
        }
    return NULL;
}

/* ---- Section: Entries ---- */

static const char *member_text(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

/* Returns the real path, or that of the folder with the name behind it: a file that is checked from
 * standard input need not exist. */
static const char *real_name(tr_arena *arena, const char *path)
{
    char *real = tr_real_path(path);
    const char *slash = strrchr(path, '/'), *kept = path;
    if (real)
        kept = tr_arena_strdup(arena, real);
    else if (!slash && strcmp(path, ".") != 0)
        kept = tr_arena_printf(arena, "%s/%s", real_name(arena, "."), path);
    else if (slash && slash > path)
        kept = tr_arena_printf(
            arena, "%s%s", real_name(arena, tr_arena_strndup(arena, path, (size_t)(slash - path))),
            slash);
    free(real);
    return kept;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Finds the entry of a file. Real paths are compared only for entries whose file has the same name.
 */
static const cJSON *entry_of(tr_arena *arena, const build_db *db, const char *file)
{
    const char *real = real_name(arena, file);
    const cJSON *entry;
    cJSON_ArrayForEach(entry, db->root)
    {
        const char *name = member_text(entry, "file");
        if (!name || (strcmp(last_part(name), last_part(file)) != 0 &&
                      strcmp(last_part(name), last_part(real)) != 0))
            continue;
        const char *path = tr_path_from(arena, member_text(entry, "directory"), name);
        if (strcmp(path, file) == 0 || strcmp(real_name(arena, path), real) == 0)
            return entry;
    }
    return NULL;
}

/* The words of the entry's command, which a POSIX shell would split, without expansions. */
static const char **words_of(tr_arena *arena, const cJSON *entry)
{
    const char *command = member_text(entry, "command");
    const char **words = NULL;
    const char *const *split = command ? words_split(arena, " \t\n", command) : NULL;
    for (; split && *split; split++)
        arrput(words, *split);
    if (command)
        return words;
    const cJSON *word;
    cJSON_ArrayForEach(word, cJSON_GetObjectItemCaseSensitive(entry, "arguments"))
    {
        if (cJSON_IsString(word))
            arrput(words, word->valuestring);
    }
    return words;
}

/* The words with those of response files; NULL, with *why. */
static const char *const *expanded(tr_arena *arena, const cJSON *entry, size_t *n, const char **why)
{
    const char *folder = member_text(entry, "directory");
    const char **all = words_of(arena, entry);
    const char *const *words = all;
    *n = arrlenu(all);
    bool good = words_expand(arena, folder, n, &words, why);
    arrfree(all);
    for (size_t i = 1; i < *n && good; i++)
        if (words[i][0] == '@' && words[i][1]) {
            *why = tr_arena_printf(arena, "its response file '%s' cannot be read",
                                   tr_path_from(arena, folder, words[i] + 1));
            good = false;
        }
    return good ? words : NULL;
}

size_t build_db_options(tr_arena *arena, const build_db *db, const char *file,
                        const char *const **options, const char **why)
{
    const cJSON *entry = entry_of(arena, db, file);
    size_t n = 0;
    *why = NULL;
    const char *const *words = entry ? expanded(arena, entry, &n, why) : NULL;
    dialect_admitted admitted = {0};
    if (words && n > 1) /* word 0 is the compiler */
        admitted = dialect_admit_options(arena, n - 1, words + 1, member_text(entry, "directory"));
    *options = admitted.taken;
    return admitted.n_taken;
}

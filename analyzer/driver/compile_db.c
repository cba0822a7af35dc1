#include "driver/compile_db.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "dialect/dialect.h"

struct compile_db {
    cJSON *root; /* an array of objects */
};

compile_db *compile_db_read(tr_arena *arena, const char *folder, const char **why)
{
    const char *path = tr_arena_printf(arena, "%s/compile_commands.json", folder);
    size_t length = 0;
    char *text = tr_read_file(arena, TR_FILE_COMMANDS, path, &length, why);
    if (!text) {
        *why = tr_arena_printf(arena,
                               "%s cannot be read (%s); CMake writes it when configured with "
                               "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                               path, *why ? *why : "not there");
        return NULL;
    }
    cJSON *root = cJSON_ParseWithLength(text, length);
    if (!cJSON_IsArray(root)) {
        cJSON_Delete(root);
        *why = tr_arena_printf(arena, "%s is not a JSON array of compile commands", path);
        return NULL;
    }
    compile_db *db = malloc(sizeof *db);
    if (!db)
        tr_no_memory();
    db->root = root;
    return db;
}

void compile_db_free(compile_db *db)
{
    if (!db)
        return;
    cJSON_Delete(db->root);
    free(db);
}

static const char *member_text(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

/* The real path, as far as it is there: of a file that is checked from standard input, its folder
 * may be all that is. */
static const char *real_name(tr_arena *arena, const char *path)
{
    char *real = realpath(path, NULL);
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

/* Do two names mean one file? */
static bool same_file(tr_arena *arena, const char *a, const char *b)
{
    return strcmp(a, b) == 0 || strcmp(real_name(arena, a), real_name(arena, b)) == 0;
}

static const cJSON *entry_of(tr_arena *arena, const compile_db *db, const char *file)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry, db->root)
    {
        const char *name = member_text(entry, "file");
        if (name &&
            same_file(arena, tr_path_from(arena, member_text(entry, "directory"), name), file))
            return entry;
    }
    return NULL;
}

/* Splits a command as a POSIX shell does, without expansions. */
static const char **split_command(tr_arena *arena, const char *command)
{
    const char **words = NULL;
    tr_text word = {0};
    bool in_word = false;
    char quote = 0;
    for (const char *c = command;; c++) {
        if (*c == 0 || (!quote && strchr(" \t\n", *c))) {
            if (in_word)
                arrput(words, tr_arena_strdup(arena, tr_text_get(&word)));
            tr_text_clear(&word);
            in_word = false;
            if (*c == 0)
                break;
            continue;
        }
        in_word = true;
        if (quote && *c == quote)
            quote = 0;
        else if (!quote && (*c == '"' || *c == '\''))
            quote = *c;
        else if (*c == '\\' && quote != '\'' && c[1])
            tr_text_addn(&word, ++c, 1);
        else
            tr_text_addn(&word, c, 1);
    }
    tr_text_free(&word);
    return words;
}

static const char **words_of(tr_arena *arena, const cJSON *entry)
{
    const char *command = member_text(entry, "command");
    if (command)
        return split_command(arena, command);
    const char **words = NULL;
    const cJSON *word;
    cJSON_ArrayForEach(word, cJSON_GetObjectItemCaseSensitive(entry, "arguments"))
    {
        if (cJSON_IsString(word))
            arrput(words, word->valuestring);
    }
    return words;
}

size_t compile_db_options(tr_arena *arena, const compile_db *db, const char *file,
                          const char *const **options)
{
    const cJSON *entry = entry_of(arena, db, file);
    if (!entry)
        return 0;
    const char **words = words_of(arena, entry);
    size_t n = arrlenu(words);
    dialect_admitted admitted = {0};
    if (n > 1) /* word 0 is the compiler */
        admitted = dialect_admit_options(arena, n - 1, words + 1, member_text(entry, "directory"));
    arrfree(words);
    *options = admitted.taken;
    return admitted.n_taken;
}

#include "driver/compile_db.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"

struct compile_db {
    cJSON *root; /* an array of objects */
};

/* Options that the C parser must not or need not see, with how many words follow. Outputs, and what
 * nvcc alone knows; those that end in '=' or '*' match what starts so. */
typedef struct dropped_option {
    const char *name;
    int words;
} dropped_option;

static const dropped_option dropped[] = {
    {"-c", 0},
    {"-S", 0},
    {"-E", 0},
    {"-o", 1},
    {"-MD", 0},
    {"-MMD", 0},
    {"-MP", 0},
    {"-MF", 1},
    {"-MT", 1},
    {"-MQ", 1},
    {"-gencode", 1},
    {"-gencode=", 0},
    {"--generate-code", 1},
    {"--generate-code=", 0},
    {"-arch", 1},
    {"-arch=", 0},
    {"-code", 1},
    {"-code=", 0},
    {"--gpu-architecture", 1},
    {"--gpu-architecture=", 0},
    {"--expt-*", 0},
    {"-expt-*", 0},
    {"-Xcompiler", 1},
    {"-Xcompiler=", 0},
    {"--compiler-options", 1},
    {"--compiler-options=", 0},
    {"-Xptxas", 1},
    {"-Xptxas=", 0},
    {"--ptxas-options", 1},
    {"--ptxas-options=", 0},
    {"-Xcudafe", 1},
    {"-Xcudafe=", 0},
    {"-rdc=", 0},
    {"--relocatable-device-code=", 0},
    {"--tilebc", 0},
    {"-lineinfo", 0},
    {"--generate-line-info", 0},
    {"-forward-unknown-*", 0},
    {"--forward-unknown-*", 0},
    {"-ccbin", 1},
    {"-ccbin=", 0},
    {"-G", 0},
    {"--device-debug", 0},
    {"-dc", 0},
    {"--device-c", 0},
    {"-x", 1},
};

/* Options whose value is a path that counts from the entry's directory. */
static const char *const path_options[] = {"-isystem", "-iquote", "-idirafter", "-include", "-I"};

compile_db *compile_db_read(tr_arena *arena, const char *folder, const char **why)
{
    const char *path = tr_arena_printf(arena, "%s/compile_commands.json", folder);
    size_t length = 0;
    char *text = tr_read_file(arena, path, &length, why);
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
        abort();
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

static const char *absolute(tr_arena *arena, const char *folder, const char *path)
{
    return path[0] == '/' || !folder ? path : tr_arena_printf(arena, "%s/%s", folder, path);
}

/* Do two names mean one file? Links are followed where the files are there. */
static bool same_file(const char *a, const char *b)
{
    char *real_a = realpath(a, NULL), *real_b = realpath(b, NULL);
    bool same = real_a && real_b ? strcmp(real_a, real_b) == 0 : strcmp(a, b) == 0;
    free(real_a);
    free(real_b);
    return same;
}

static const cJSON *entry_of(tr_arena *arena, const compile_db *db, const char *file)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry, db->root)
    {
        const char *name = member_text(entry, "file");
        if (name && same_file(absolute(arena, member_text(entry, "directory"), name), file))
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

static bool is_dropped(const char *word, int *follow)
{
    for (size_t i = 0; i < TR_COUNT(dropped); i++) {
        size_t length = strlen(dropped[i].name);
        char last = dropped[i].name[length - 1];
        bool prefix = last == '=' || last == '*';
        if (last == '*')
            length--;
        if (prefix ? strncmp(word, dropped[i].name, length) == 0
                   : strcmp(word, dropped[i].name) == 0) {
            *follow = dropped[i].words;
            return true;
        }
    }
    return false;
}

/* Length of the path option that `word` starts with, 0 when it starts with none. */
static size_t path_option(const char *word)
{
    for (size_t i = 0; i < TR_COUNT(path_options); i++)
        if (strncmp(word, path_options[i], strlen(path_options[i])) == 0)
            return strlen(path_options[i]);
    return 0;
}

size_t compile_db_options(tr_arena *arena, const compile_db *db, const char *file,
                          const char *const **options)
{
    const cJSON *entry = entry_of(arena, db, file);
    if (!entry)
        return 0;
    const char *folder = member_text(entry, "directory");
    const char *source = member_text(entry, "file");
    const char **words = words_of(arena, entry);
    size_t n_words = arrlenu(words), n = 0;
    const char **kept = TR_NEW_ARRAY(arena, const char *, n_words + 1);
    for (size_t i = 1; i < n_words; i++) { /* word 0 is the compiler */
        int follow = 0;
        size_t path = path_option(words[i]);
        if (is_dropped(words[i], &follow)) {
            i += (size_t)follow;
        } else if (path > 0 && words[i][path]) {
            const char *value = absolute(arena, folder, words[i] + path);
            kept[n++] = tr_arena_printf(arena, "%.*s%s", (int)path, words[i], value);
        } else if (path > 0 && i + 1 < n_words) {
            kept[n++] = words[i];
            kept[n++] = absolute(arena, folder, words[++i]);
        } else if (words[i][0] == '-') {
            bool takes_word = (strcmp(words[i], "-D") == 0 || strcmp(words[i], "-U") == 0);
            kept[n++] = words[i];
            if (takes_word && i + 1 < n_words)
                kept[n++] = words[++i];
        } else if (source && strcmp(words[i], source) != 0 &&
                   !same_file(absolute(arena, folder, words[i]), file)) {
            kept[n++] = words[i];
        }
    }
    arrfree(words);
    *options = kept;
    return n;
}

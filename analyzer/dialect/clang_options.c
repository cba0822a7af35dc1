/* Decides which options Clang gets: those of clang_options.def, by a list of what is allowed and
 * not by one of what is known to be harmful, since Clang's own list grows. */
#include <string.h>

#include "dialect/dialect.h"

typedef enum option_form { ALONE, JOINED, EITHER } option_form;
typedef enum option_act { REFUSE, TAKE, PATH, IGNORE, SKIP } option_act;

typedef struct option_row {
    const char *spelling;
    option_form form;
    option_act act;
} option_row;

static const option_row rows[] = {
#define CLANG_OPTION(spelling, form, act) {spelling, form, act},
#include "dialect/clang_options.def"
};

/* Does the word begin with the option, and is what follows a value? For Clang no value begins with
 * '-': "-include-pch" is another option than "-include". */
static bool has_value(const char *word, const option_row *row, const char **value)
{
    size_t length = strlen(row->spelling);
    if (row->form == ALONE || strncmp(word, row->spelling, length) != 0)
        return false;
    *value = word + length;
    return **value && (row->act == REFUSE || row->act == SKIP || **value != '-');
}

static const option_row *row_of(const char *word, const char **value)
{
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        *value = NULL;
        if (has_value(word, &rows[i], value))
            return &rows[i];
        *value = NULL;
        if (rows[i].form != JOINED && strcmp(word, rows[i].spelling) == 0)
            return &rows[i];
    }
    return NULL;
}

typedef struct admission {
    tr_arena *arena;
    const char *folder;
    dialect_admitted *to;
} admission;

/* An option that came as two words stays two words: "-include" and "-pch" in one would be another
 * option. */
static void take(admission *a, const option_row *row, const char *value, bool apart)
{
    dialect_admitted *to = a->to;
    const char *path = value && row->act == PATH ? tr_path_from(a->arena, a->folder, value) : value;
    if (!value || apart)
        to->taken[to->n_taken++] = row->spelling;
    if (apart)
        to->taken[to->n_taken++] = path;
    else if (value)
        to->taken[to->n_taken++] = tr_arena_printf(a->arena, "%s%s", row->spelling, path);
}

dialect_admitted dialect_admit_options(tr_arena *arena, size_t n, const char *const *words,
                                       const char *folder)
{
    dialect_admitted to = {.taken = TR_NEW_ARRAY(arena, const char *, n + 1),
                           .refused = TR_NEW_ARRAY(arena, const char *, n + 1)};
    admission a = {arena, folder, &to};
    for (size_t i = 0; i < n; i++) {
        const char *word = words[i], *value = NULL;
        const option_row *row = row_of(word, &value);
        bool apart = row && row->form == EITHER && !value;
        if (apart && i + 1 < n)
            value = words[++i];
        else if (apart)
            row = NULL; /* its value is missing */
        if (row && (row->act == TAKE || row->act == PATH))
            take(&a, row, value, apart);
        else if (!row || row->act != IGNORE)
            to.refused[to.n_refused++] = word;
    }
    return to;
}

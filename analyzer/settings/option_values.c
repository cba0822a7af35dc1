/* Lists the values that options take, as their tables say. */
#include "settings/option_values.h"

#include <string.h>

static const struct {
    const char *name;
    value_kind kind;
} names[] = {
#define VALUE(name, kind) {name, VALUE_##kind},
#include "settings/values.def"
};

static const variable_row variables[] = {
#define VARIABLE(names, about) {names, about},
#include "settings/environment.def"
};

static const exit_row exits[] = {
#define EXIT(code, when) {code, when},
#include "settings/exits.def"
};

const exit_row *options_exit_codes(size_t *n)
{
    *n = TR_COUNT(exits);
    return exits;
}

const variable_row *options_variables(size_t *n)
{
    *n = TR_COUNT(variables);
    return variables;
}

/* "auto|always|never", and not "show [FILE|FOLDER]": there another word follows. */
static bool is_word(const char *argument)
{
    return argument[0] >= 'a' && argument[0] <= 'z' && !strchr(argument, ' ');
}

value_kind option_value_kind(const char *argument)
{
    if (is_word(argument))
        return VALUE_WORDS;
    size_t length = strcspn(argument, "|. ]"); /* "FILE|FOLDER...": the first of them */
    for (size_t i = 0; i < TR_COUNT(names); i++)
        if (strcmp(names[i].name, argument) == 0 ||
            (strlen(names[i].name) == length && strncmp(names[i].name, argument, length) == 0))
            return names[i].kind;
    return VALUE_ANY;
}

const char *option_value_word(const char *argument, size_t i, size_t *length)
{
    if (!is_word(argument))
        return NULL;
    for (; i > 0; i--) {
        argument += strcspn(argument, "|");
        if (!*argument)
            return NULL;
        argument++;
    }
    *length = strcspn(argument, "|");
    return argument;
}

bool option_value_is_taken(const char *argument, const char *value)
{
    size_t length;
    const char *word;
    for (size_t i = 0; (word = option_value_word(argument, i, &length)); i++)
        if (strlen(value) == length && strncmp(value, word, length) == 0)
            return true;
    return !is_word(argument);
}

const char *option_value_words(tr_arena *arena, const char *argument)
{
    size_t length;
    const char *all = "", *word;
    for (size_t i = 0; (word = option_value_word(argument, i, &length)); i++)
        all = tr_arena_printf(arena, "%s%s%.*s", all,
                              i == 0         ? ""
                              : word[length] ? ", "
                                             : " or ",
                              (int)length, word);
    return all;
}

/* Tables of the options and words that commands take, and of variables of the environment and exit
 * codes. Each serves help, pages of the manual and completions. */
#ifndef SETTINGS_OPTION_VALUES_H
#define SETTINGS_OPTION_VALUES_H

#include "base/base.h"

typedef enum value_kind {
    VALUE_ANY,   /* nobody knows what it could be */
    VALUE_WORDS, /* those of the argument */
    VALUE_FILES,
    VALUE_FOLDERS,
    VALUE_PROGRAMS,
    VALUE_PAGES,    /* our own commands */
    VALUE_FORMATS,  /* of the command */
    VALUE_FAILURES, /* words of --fail-on, with commas between them */
    VALUE_RULES,
    VALUE_NUMBERS,
} value_kind;

typedef struct variable_row {
    const char *names, *about; /* with Markdown's marks of code */
} variable_row;

typedef struct exit_row {
    const char *code, *when; /* in Markdown */
} exit_row;

/* The kind of value that the argument of an option, or a word of a command's arguments, stands for.
 */
value_kind option_value_kind(const char *argument);
/* Word number i of "auto|always|never" and its length; NULL: there are no more. */
const char *option_value_word(const char *argument, size_t i, size_t *length);
/* False: the argument is a set of words, and the value is none of them. */
bool option_value_is_taken(const char *argument, const char *value);
/* "auto, always or never" */
const char *option_value_words(tr_arena *arena, const char *argument);

const variable_row *options_variables(size_t *n);
const exit_row *options_exit_codes(size_t *n);

#endif

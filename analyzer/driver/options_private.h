/* The rows of the option tables, for what is written from them: help, pages of the manual,
 * completions. */
#ifndef DRIVER_OPTIONS_PRIVATE_H
#define DRIVER_OPTIONS_PRIVATE_H

#include "driver/options.h"

typedef enum option_kind { FLAG, TEXT, NUMBER, LIST } option_kind;

typedef struct option_row {
    option_kind kind;
    const char *name;
    char letter;
    const char *argument;
    unsigned commands;
    const char *help;
    size_t field; /* offset in driver_options */
} option_row;

typedef struct command_row {
    const char *name, *arguments, *about;
    size_t min, max;
} command_row;

typedef struct variable_row {
    const char *names, *about; /* with Markdown's marks of code */
} variable_row;

typedef struct exit_row {
    const char *code, *when; /* in Markdown */
} exit_row;

const option_row *options_rows(size_t *n);
const command_row *options_command(command_id command);
/* COMMAND_NONE: there is none of that name. */
command_id command_by_name(const char *name);
/* All words behind such a command are another program's, or read as one reads its own. */
bool command_takes_all(command_id command);
const variable_row *options_variables(size_t *n);
const exit_row *options_exit_codes(size_t *n);
/* "-o, --output FILE" */
const char *option_spelling(char *buffer, size_t size, const option_row *row);

/* ---- Values (option_values.c) ---- */

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

/* The kind of value that the argument of an option, or a word of a command's arguments, stands for.
 */
value_kind value_kind_of(const char *argument);
/* Word number i of "auto|always|never" and its length; NULL: there are no more. */
const char *value_word(const char *argument, size_t i, size_t *length);
/* False: the argument is a set of words, and the value is none of them. */
bool value_is_taken(const char *argument, const char *value);
/* "auto, always or never" */
const char *value_words(tr_arena *arena, const char *argument);

#endif

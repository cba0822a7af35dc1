/* The rows of the option tables, for what is written from them: help, pages of the manual,
 * completions. */
#ifndef SETTINGS_OPTION_ROWS_H
#define SETTINGS_OPTION_ROWS_H

#include "settings/options.h"

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

const option_row *options_rows(size_t *n);
const command_row *options_command(command_id command);
/* COMMAND_NONE: there is none of that name. */
command_id command_by_name(const char *name);
/* Are all words behind the command those of another program, or read as that program reads its own?
 */
bool command_takes_all(command_id command);

#endif

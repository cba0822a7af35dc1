/* The words of the command line as values, from the tables options.def and commands.def. */
#ifndef SETTINGS_OPTIONS_H
#define SETTINGS_OPTIONS_H

#include "base/base.h"

typedef enum command_id {
#define COMMAND(id, name, arguments, min, max, function, about) COMMAND_##id,
#include "settings/commands.def"
    COMMAND_COUNT,
    COMMAND_NONE = COMMAND_COUNT,
} command_id;

enum {
#define COMMAND(id, name, arguments, min, max, function, about) ON_##id = 1 << COMMAND_##id,
#include "settings/commands.def"
    ON_ALL = (1 << COMMAND_COUNT) - 1,
    ON_CHECKS = ON_CHECK | ON_SCAN | ON_HOOK,
    ON_SERVERS = ON_SERVE | ON_MCP,
};

#define OPTION_TYPE_FLAG   bool
#define OPTION_TYPE_TEXT   const char *
#define OPTION_TYPE_NUMBER unsigned long
#define OPTION_TYPE_LIST   option_list

typedef struct option_list { /* of an option that may be given several times */
    size_t n;
    const char **items;
} option_list;

typedef struct driver_options {
#define OPTION(field, kind, long_name, letter, argument, commands, help) OPTION_TYPE_##kind field;
#include "settings/options.def"
    command_id command;
    size_t n_files;
    const char **files; /* the words that are no options */
    size_t n_behind;
    const char *const *behind; /* what stands behind `--`: options for Clang; of exec, the program.
                                As in argv, a NULL follows */
} driver_options;

/* False, with *why (a sentence, with a suggestion where one is near), when the words are no command
 * line. --help and --version are not checked further. Everything lives in `arena` or in argv. */
bool options_parse(tr_arena *arena, int argc, const char *const *argv, driver_options *options,
                   const char **why);
/* The help of a command, or of the program for COMMAND_NONE. */
void options_help(tr_text *out, command_id command);
/* Five lines for somebody who knows nothing yet: words of a shell that lead to a first verdict. */
void options_first_steps(tr_text *out);
/* docs/options.md, which tests compare with it. */
void options_markdown(tr_text *out);

/* Does it write reports in the formats of report.h, so that --output takes FORMAT=FILE? */
bool options_write_reports(command_id command);
/* The file that --output names last, for a command that writes one thing; or NULL. */
const char *options_output(const driver_options *options);

/* The nearest of n names within a third of its length in edits, or NULL. */
const char *nearest_name(const char *word, size_t n, const char *const *names);

#endif

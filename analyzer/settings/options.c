#include "settings/option_rows.h"

#include "report/report.h"
#include "settings/fail_on.h"
#include "settings/option_values.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option_row rows[] = {
#define OPTION(field, kind, long_name, letter, argument, commands, help)                           \
    {kind, long_name, letter, argument, commands, help, offsetof(driver_options, field)},
#include "settings/options.def"
};

static const command_row commands[] = {
#define COMMAND(id, name, arguments, min, max, function, about) {name, arguments, about, min, max},
#include "settings/commands.def"
};

const option_row *options_rows(size_t *n)
{
    *n = TR_COUNT(rows);
    return rows;
}

const command_row *options_command(command_id command)
{
    return &commands[command];
}

static const char *name_of_command(command_id command)
{
    return commands[command].name;
}

command_id command_by_name(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0)
            return (command_id)i;
    return COMMAND_NONE;
}

bool options_write_reports(command_id command)
{
    return command == COMMAND_CHECK || command == COMMAND_SCAN || command == COMMAND_HOOK;
}

const char *options_output(const driver_options *options)
{
    return options->output.n > 0 ? options->output.items[options->output.n - 1] : NULL;
}

/* ---- Names that are near ---- */

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b. */
static size_t edits(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    size_t cost[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            size_t best = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (cost[i - 1][j] + 1 < best)
                best = cost[i - 1][j] + 1;
            if (cost[i][j - 1] + 1 < best)
                best = cost[i][j - 1] + 1;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && cost[i - 2][j - 2] + 1 < best)
                best = cost[i - 2][j - 2] + 1;
            cost[i][j] = best;
        }
    }
    return cost[n][m];
}

const char *nearest_name(const char *word, size_t n, const char *const *names)
{
    const char *best = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        size_t cost = edits(word, names[i]);
        if (cost < least && cost <= (strlen(names[i]) + 2) / 3) {
            least = cost;
            best = names[i];
        }
    }
    return best;
}

static const char *suggest_option(tr_arena *arena, command_id command, const char *word)
{
    const char *names[TR_COUNT(rows)];
    size_t n = 0;
    for (size_t i = 0; i < TR_COUNT(rows); i++)
        if (command == COMMAND_NONE || (rows[i].commands & (1u << command)))
            names[n++] = rows[i].name;
    const char *near = nearest_name(word, n, names);
    return near ? tr_arena_printf(arena, "; did you mean '--%s'?", near) : "";
}

static const char *suggest_command(tr_arena *arena, const char *word)
{
    const char *names[COMMAND_COUNT];
    size_t n = 0;
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].about[0])
            names[n++] = commands[i].name;
    const char *near = nearest_name(word, n, names);
    if (near)
        return tr_arena_printf(arena, "; did you mean '%s'?", near);
    if (strchr(word, '.') || strchr(word, '/'))
        return tr_arena_printf(arena, "; did you mean 'tilerace check %s'?", word);
    return "; 'tilerace --help' lists them";
}

/* ---- Parsing ---- */

typedef struct parser {
    tr_arena *arena;
    int argc, at;
    const char *const *argv;
    driver_options *options;
    const char *why;
} parser;

static bool fail(parser *p, const char *why)
{
    p->why = why;
    return false;
}

static bool parse_number(parser *p, const option_row *row, const char *text, unsigned long *number)
{
    char *end = NULL;
    errno = 0;
    *number = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || *number == 0 || *number > 1000000000ul)
        return fail(p, tr_arena_printf(p->arena,
                                       "--%s needs a whole number of at least 1 and at most "
                                       "1000000000, not '%s'",
                                       row->name, text));
    return true;
}

static void add_to_list(parser *p, option_list *list, const char *value)
{
    if (!list->items) /* no more than there are words */
        list->items = TR_NEW_ARRAY(p->arena, const char *, p->argc);
    list->items[list->n++] = value;
}

/* Stores one option. `value` is what stood behind '=' or a letter, or NULL. */
static bool store(parser *p, const option_row *row, const char *value)
{
    char *field = (char *)p->options + row->field;
    if (row->kind == FLAG) {
        if (value)
            return fail(p, tr_arena_printf(p->arena, "--%s takes no value", row->name));
        *(bool *)field = true;
        return true;
    }
    if (!value) {
        if (p->at >= p->argc || strcmp(p->argv[p->at], "--") == 0)
            return fail(p, tr_arena_printf(p->arena, "--%s needs a value: --%s %s", row->name,
                                           row->name, row->argument));
        value = p->argv[p->at++];
    }
    if (row->kind == NUMBER)
        return parse_number(p, row, value, (unsigned long *)field);
    if (!option_value_is_taken(row->argument, value))
        return fail(p, tr_arena_printf(p->arena, "--%s is %s, not '%s'", row->name,
                                       option_value_words(p->arena, row->argument), value));
    if (row->kind == LIST)
        add_to_list(p, (option_list *)field, value);
    else
        *(const char **)field = value;
    return true;
}

static bool check_command_takes(parser *p, const option_row *row)
{
    command_id command = p->options->command;
    if (command == COMMAND_NONE || (row->commands & (1u << command)) || !commands[command].about[0])
        return true;
    if (command == COMMAND_SERVE && (row->commands & ON_BESIDE)) {
        p->options->command = COMMAND_BESIDE; /* what `serve` was before it answered requests */
        return true;
    }
    return fail(p, tr_arena_printf(p->arena, "'%s' does not take --%s", name_of_command(command),
                                   row->name));
}

static bool parse_long(parser *p, const char *word)
{
    size_t length = strcspn(word, "=");
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    for (size_t i = 0; i < TR_COUNT(rows); i++)
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, word, length) == 0)
            return check_command_takes(p, &rows[i]) && store(p, &rows[i], value);
    const char *name = tr_arena_strndup(p->arena, word, length);
    return fail(p, tr_arena_printf(p->arena, "unknown option '--%s'%s", name,
                                   suggest_option(p->arena, p->options->command, name)));
}

static bool parse_short(parser *p, const char *word)
{
    for (size_t i = 0; i < TR_COUNT(rows); i++)
        if (rows[i].letter == word[1]) {
            if (rows[i].kind == FLAG && word[2])
                break;
            return check_command_takes(p, &rows[i]) &&
                   store(p, &rows[i], word[2] ? word + 2 : NULL);
        }
    const char *advice = strchr("DIUWfm", word[1]) && word[1]
                             ? "; options for the C compiler go behind '--'"
                             : suggest_option(p->arena, p->options->command, word + 1);
    return fail(p, tr_arena_printf(p->arena, "unknown option '%s'%s", word, advice));
}

static bool parse_command(parser *p, const char *word)
{
    p->options->command = command_by_name(word);
    if (p->options->command != COMMAND_NONE)
        return true;
    return fail(p, tr_arena_printf(p->arena, "unknown command '%s'%s", word,
                                   suggest_command(p->arena, word)));
}

static bool check_counts(parser *p)
{
    const driver_options *o = p->options;
    if (o->help || o->version)
        return true;
    if (o->command == COMMAND_NONE)
        return fail(p, "no command given; 'tilerace --help' lists them");
    const command_row *row = &commands[o->command];
    bool is_word = option_value_kind(row->arguments) == VALUE_WORDS && !strchr(row->arguments, ' ');
    if (o->n_files < row->min && !o->stdin_filename)
        return fail(p, tr_arena_printf(p->arena, "'%s' needs %s", row->name,
                                       is_word        ? option_value_words(p->arena, row->arguments)
                                       : row->max > 1 ? "at least one file"
                                                      : "a file"));
    if (o->n_files > row->max)
        return fail(p, tr_arena_printf(p->arena, "'%s' takes one %s, not %zu", row->name,
                                       o->command == COMMAND_EXPLAIN  ? "rule"
                                       : o->command == COMMAND_MANUAL ? "command"
                                       : is_word                      ? "shell"
                                                                      : "file",
                                       o->n_files));
    return true;
}

bool command_takes_all(command_id command)
{
    return command == COMMAND_CC || command == COMMAND_NVCC || command == COMMAND_TILEIRAS;
}

static void take_rest(parser *p, int from)
{
    p->options->n_behind = (size_t)(p->argc - from);
    p->options->behind = p->argv + from;
}

bool options_parse(tr_arena *arena, int argc, const char *const *argv, driver_options *options,
                   const char **why)
{
    *options = (driver_options){.command = COMMAND_NONE};
    options->files = TR_NEW_ARRAY(arena, const char *, argc + 1);
    parser p = {.arena = arena, .argc = argc, .at = 1, .argv = argv, .options = options};
    bool good = true;
    while (good && p.at < argc) {
        const char *word = argv[p.at++];
        if (strcmp(word, "--") == 0) {
            take_rest(&p, p.at);
            break;
        }
        if (word[0] == '-' && word[1] == '-')
            good = parse_long(&p, word + 2);
        else if (word[0] == '-' && word[1])
            good = parse_short(&p, word);
        else if (options->command == COMMAND_NONE) {
            good = parse_command(&p, word);
            if (good && command_takes_all(options->command)) {
                take_rest(&p, p.at);
                break;
            }
        } else if (options->command ==
                   COMMAND_EXEC) { /* what follows is the program's, `--` or not */
            take_rest(&p, p.at - 1);
            break;
        } else
            options->files[options->n_files++] = word;
    }
    good = good && check_counts(&p);
    *why = p.why;
    return good;
}

/* ---- Help ---- */

/* Adds a cell of a Markdown table. A `|` in it is escaped, since it would begin another column. */
static void add_cell(tr_text *out, const char *text)
{
    for (; *text; text++)
        tr_text_add(out, *text == '|' ? "\\|" : (char[]){*text, 0});
}

/* "-o, --output FILE" */
static const char *spelling_of(char *buffer, size_t size, const option_row *row)
{
    char letter[8] = "";
    if (row->letter)
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    snprintf(buffer, size, "%s--%s%s%s", letter, row->name, row->argument[0] ? " " : "",
             row->argument);
    return buffer;
}

static void add_options(tr_text *out, command_id command)
{
    char buffer[80];
    tr_text_add(out, "\nOptions:\n");
    for (size_t i = 0; i < TR_COUNT(rows); i++)
        if (rows[i].commands & (1u << command))
            tr_text_addf(out, "  %-28s %s\n", spelling_of(buffer, sizeof buffer, &rows[i]),
                         rows[i].help);
}

static void add_formats(tr_text *out)
{
    tr_text_add(out, "\nFormats:\n");
    for (int f = 0; f < REPORT_FORMAT_COUNT; f++)
        tr_text_addf(out, "  %-10s %s\n", report_format_name((report_format)f),
                     report_format_about((report_format)f));
}

static void add_program_help(tr_text *out)
{
    tr_text_add(out, "tilerace proves that GPU tile kernels cannot race, or shows the tile blocks, "
                     "the\niteration and the element where they do.\n\nCommands:\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].about[0])
            tr_text_addf(out, "  %-11s %s\n", commands[i].name, commands[i].about);
    tr_text_add(out, "\n'tilerace COMMAND --help' lists a command's options.\n\n"
                     "Exit codes: 0 nothing found, 1 an error found, 2 bad input or options,\n"
                     "3 an unknown verdict (with --fail-on-unknown).\n");
}

void options_first_steps(tr_text *out)
{
    tr_text_add(
        out,
        "# tilerace proves that GPU tile kernels cannot race, or shows how they do. Try it:\n"
        "printf '#include <tile.h>\\ntile_kernel void twice(const float *x, float *y, int n)\\n{\\n"
        "    tile t = tile_load(tile_partition(tile_tensor(x, n), 64), tile_bid(0));\\n"
        "    tile_store(tile_partition(tile_tensor(y, n), 64), t + t, tile_bid(0) / 2);\\n}\\n' "
        ">twice.c\n"
        "tilerace check twice.c   # a race: two tile blocks write the same tile of y\n"
        "sed -i 's, / 2,,' twice.c && tilerace check twice.c   # without the / 2 it is race-free\n"
        "tilerace --help   # all commands; 'tilerace selftest' tests this installation\n");
}

void options_help(tr_text *out, command_id command)
{
    if (command == COMMAND_NONE || !commands[command].about[0]) {
        add_program_help(out);
        return;
    }
    const command_row *row = &commands[command];
    tr_text_addf(out, "Usage: tilerace %s [OPTIONS]%s%s\n\n%s\n", row->name,
                 row->arguments[0] ? " " : "", row->arguments, row->about);
    add_options(out, command);
    if (options_write_reports(command))
        add_formats(out);
}

void options_markdown(tr_text *out)
{
    size_t n;
    char buffer[80];
    tr_text_add(out, "# Options\n\nThis page is generated from `analyzer/settings/options.def` and "
                     "`commands.def`.\n");
    for (size_t c = 0; c < COMMAND_COUNT; c++) {
        const command_row *row = &commands[c];
        if (!row->about[0])
            continue;
        tr_text_addf(out,
                     "\n## `tilerace %s%s%s`\n\n%s\n\n| option | what it does |\n| --- | --- |\n",
                     row->name, row->arguments[0] ? " " : "", row->arguments, row->about);
        for (size_t i = 0; i < TR_COUNT(rows); i++)
            if (rows[i].commands & (1u << c)) {
                tr_text_add(out, "| `");
                add_cell(out, spelling_of(buffer, sizeof buffer, &rows[i]));
                tr_text_addf(out, "` | %s |\n", rows[i].help);
            }
    }
    tr_text_add(out, "\n## Formats\n\n| `--format` | what it is |\n| --- | --- |\n");
    for (int f = 0; f < REPORT_FORMAT_COUNT; f++)
        tr_text_addf(out, "| `%s` | %s |\n", report_format_name((report_format)f),
                     report_format_about((report_format)f));
    tr_text_add(out,
                "\n## Exit codes\n\nIf several apply, 2 takes precedence over 1, and 1 over 3.\n\n"
                "| code | when |\n| --- | --- |\n");
    const exit_row *codes = options_exit_codes(&n);
    for (size_t i = 0; i < n; i++)
        tr_text_addf(out, "| %s | %s |\n", codes[i].code, codes[i].when);
    tr_text_add(out, "\nA conditional verdict is a warning. `--werror` adds `warning` and "
                     "`conditional` to the words of `--fail-on`, and `--fail-on-unknown` adds "
                     "`unknown`.\n\n");
    fail_on_markdown(out);
    tr_text_add(out, "\n## Environment\n\n| variable | what it does |\n| --- | --- |\n");
    const variable_row *variables = options_variables(&n);
    for (size_t i = 0; i < n; i++)
        tr_text_addf(out, "| %s | %s |\n", variables[i].names, variables[i].about);
}

/* tilerace manual: pages for man(1) in mdoc(7), from the tables that --help is written from. */
#include "session/session.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "driver/commands.h"
#include "settings/fail_on.h"
#include "settings/option_rows.h"
#include "settings/option_values.h"
#include "settings/options.h"

#define DATE "November 28, 2026" /* when what this file itself says was changed last */

#define WIDTH ((size_t)55) /* from which on a line ends at a blank */

/* ---- Text ---- */

/* Adds a character, escaped so that it stands for itself. */
static void add_character(tr_text *out, char c)
{
    if (c == '\\')
        tr_text_add(out, "\\e");
    else if (c == '-')
        tr_text_add(out, "\\-");
    else
        tr_text_addn(out, &c, 1);
}

/* Does a sentence end here? Man pages begin a new line then. */
static bool ends_sentence(const char *at)
{
    return (*at == '.' || *at == '?') && at[1] == ' ' && isupper((unsigned char)at[2]);
}

/* A link of Markdown, [text](address): its text alone. */
static const char *add_link(tr_text *out, const char *at)
{
    const char *end = strstr(at, "](");
    const char *close = end ? strchr(end, ')') : NULL;
    if (!close)
        return NULL;
    for (const char *c = at + 1; c < end; c++)
        add_character(out, *c);
    return close + 1;
}

/* Running text with `code` of Markdown in bold and links as their texts, in lines of a page's
 * width. */
static void add_text(tr_text *out, const char *text)
{
    bool bold = false;
    size_t line = out->length;
    while (*text) {
        const char *behind = *text == '[' && !bold ? add_link(out, text) : NULL;
        bool ends = ends_sentence(text), breaks = *text == ' ' && out->length - line > WIDTH;
        if (out->length == line && (*text == '.' || *text == '\''))
            tr_text_add(out, "\\&");
        if (behind) {
            text = behind;
        } else if (*text == '`') {
            bold = !bold;
            tr_text_add(out, bold ? "\\fB" : "\\fP");
            text++;
        } else if (ends || breaks) {
            tr_text_addf(out, "%.*s\n", ends ? 1 : 0, text);
            text += ends ? 2 : 1;
            line = out->length;
        } else {
            add_character(out, *text++);
        }
    }
}

static void add_sentence(tr_text *out, const char *text)
{
    char first[2] = {(char)toupper((unsigned char)text[0]), 0};
    add_text(out, first);
    add_text(out, text + 1);
    tr_text_add(out, ".\n");
}

/* Words as arguments of a macro, none of which is taken for another macro. */
static void add_arguments(tr_text *out, const char *words)
{
    while (*words) {
        size_t length = strcspn(words, " ");
        tr_text_add(out, " \\&");
        for (size_t i = 0; i < length; i++)
            add_character(out, words[i]);
        words += length;
        words += strspn(words, " ");
    }
}

/* ---- Sections ---- */

static void add_head(tr_text *out, const char *name, const char *about)
{
    tr_text_add(out, ".Dd " DATE "\n.Dt ");
    for (const char *c = name; *c; c++)
        add_character(out, (char)toupper((unsigned char)*c));
    tr_text_add(out, " 1\n.Os tilerace " TILERACE_VERSION "\n.Sh NAME\n.Nm ");
    tr_text_addf(out, "%s\n.Nd ", name);
    add_text(out, about);
    tr_text_add(out, "\n");
}

static bool begins_with_value(const option_row *row)
{
    size_t length;
    const char *word;
    for (size_t i = 0; (word = option_value_word(row->argument, i, &length)); i++)
        if (strncmp(row->help, word, length) == 0)
            return true;
    return false;
}

static void add_option(tr_text *out, const option_row *row)
{
    tr_text_add(out, ".It");
    if (row->letter)
        tr_text_addf(out, " Fl %c ,", row->letter);
    tr_text_add(out, " Fl \\-");
    for (const char *c = row->name; *c; c++)
        add_character(out, *c);
    if (row->argument[0]) {
        tr_text_add(out, " Ar");
        add_arguments(out, row->argument);
    }
    tr_text_add(out, "\n");
    if (begins_with_value(row)) { /* it is spelt as it is */
        add_text(out, row->help);
        tr_text_add(out, ".\n");
    } else {
        add_sentence(out, row->help);
    }
}

static void add_options(tr_text *out, unsigned commands)
{
    size_t n;
    const option_row *rows = options_rows(&n);
    tr_text_add(out, ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < n; i++)
        if ((rows[i].commands & commands) == commands)
            add_option(out, &rows[i]);
    tr_text_add(out, ".El\n");
}

static void add_item(tr_text *out, const char *name, const char *about)
{
    tr_text_add(out, ".It ");
    add_text(out, name);
    tr_text_add(out, "\n");
    add_sentence(out, about);
}

static void add_formats(tr_text *out)
{
    tr_text_add(out, ".Sh FORMATS\n.Bl -tag -width markdown\n");
    for (int f = 0; f < REPORT_FORMAT_COUNT; f++)
        add_item(out, report_format_name((report_format)f), report_format_about((report_format)f));
    tr_text_add(out, ".El\n");
}

static void add_environment(tr_text *out)
{
    size_t n;
    const variable_row *variables = options_variables(&n);
    tr_text_add(out, ".Sh ENVIRONMENT\n.Bl -tag -width Ds\n");
    for (size_t i = 0; i < n; i++)
        add_item(out, variables[i].names, variables[i].about);
    tr_text_add(out, ".El\n");
}

static void add_exit_status(tr_text *out)
{
    size_t n;
    const exit_row *codes = options_exit_codes(&n);
    tr_text_add(out, ".Sh EXIT STATUS\nThe highest that applies: 2 before 1 before 3.\n"
                     ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < n; i++)
        add_item(out, codes[i].code, codes[i].when);
    tr_text_add(out, ".El\n");
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The pages of all commands, or of those that matter most beside the one whose page it is. */
static void add_see_also(tr_text *out, command_id but)
{
    const char *names[COMMAND_COUNT];
    size_t n = 0;
    for (int i = 0; i < COMMAND_COUNT; i++) {
        const command_row *row = options_command((command_id)i);
        bool is_named = but == COMMAND_NONE || i == COMMAND_CHECK || i == COMMAND_EXPLAIN;
        if (row->about[0] && i != (int)but && is_named)
            names[n++] = row->name;
    }
    qsort(names, n, sizeof *names, compare_names);
    tr_text_add(out, ".Sh SEE ALSO\n");
    if (but != COMMAND_NONE)
        tr_text_add(out, ".Xr tilerace 1 ,\n");
    for (size_t i = 0; i < n; i++)
        tr_text_addf(out, ".Xr tilerace-%s 1%s\n", names[i], i + 1 < n ? " ," : "");
    tr_text_add(out, ".Pp\nThe pages of the project: " REPORT_HOME "/tree/main/docs\n");
}

/* ---- Pages ---- */

static void add_program(tr_text *out)
{
    add_head(out, "tilerace", "prove that GPU tile kernels cannot race, or show how they do");
    tr_text_add(out, ".Sh SYNOPSIS\n.Nm\n.Ar COMMAND\n.Op Ar OPTIONS\n.Op Ar WORDS\n"
                     ".Sh DESCRIPTION\nReads GPU tile kernels in C or as CUDA Tile IR bytecode.\n"
                     "Each is proved race\\-free for every launch that meets its contract,\n"
                     "or the two tile blocks, the iteration and the element are shown where it\n"
                     "races.\n"
                     "The commands are:\n.Bl -tag -width completions\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        const command_row *row = options_command((command_id)i);
        if (!row->about[0])
            continue;
        tr_text_addf(out, ".It Cm %s\n", row->name);
        add_sentence(out, row->about);
    }
    tr_text_add(out, ".El\n.Pp\nEach has a page of its own,\n.Xr tilerace-check 1\nfor instance.\n"
                     "All of them take:\n");
    add_options(out, ON_ALL);
    add_environment(out);
    add_exit_status(out);
    tr_text_add(out, ".Sh EXAMPLES\nCheck a kernel:\n"
                     ".Pp\n.Dl tilerace check kernel.c\n.Pp\n"
                     "Say what the rule of a finding means:\n.Pp\n.Dl tilerace explain TR001\n");
    add_see_also(out, COMMAND_NONE);
}

static void add_command(tr_text *out, command_id command)
{
    const command_row *row = options_command(command);
    tr_arena *arena = tr_arena_new();
    add_head(out, tr_arena_printf(arena, "tilerace-%s", row->name), row->about);
    tr_text_addf(out, ".Sh SYNOPSIS\n.Nm tilerace\n.Cm %s\n", row->name);
    if (!command_takes_all(command))
        tr_text_add(out, ".Op Ar OPTIONS\n");
    if (row->arguments[0]) {
        tr_text_add(out, ".Ar");
        add_arguments(out, row->arguments);
        tr_text_add(out, "\n");
    }
    tr_text_add(out, ".Sh DESCRIPTION\n");
    add_sentence(out, row->about);
    if (!command_takes_all(command)) {
        tr_text_add(out, "The options are:\n");
        add_options(out, 1u << command);
    }
    if (options_write_reports(command))
        add_formats(out);
    add_environment(out);
    add_exit_status(out);
    add_see_also(out, command);
    tr_arena_free(arena);
}

static void add_page(tr_text *out, command_id command)
{
    if (command == COMMAND_NONE)
        add_program(out);
    else
        add_command(out, command);
}

/* ---- The command ---- */

static bool is_folder(const char *path)
{
    struct stat info;
    return path && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int write_all(session *s, const char *folder)
{
    tr_text texts[COMMAND_COUNT + 1] = {0};
    tr_new_file files[COMMAND_COUNT + 1] = {0};
    size_t n = 0;
    for (int i = 0; i <= COMMAND_COUNT; i++) {
        const char *name = i < COMMAND_COUNT ? options_command((command_id)i)->name : "";
        if (i < COMMAND_COUNT && !options_command((command_id)i)->about[0])
            continue;
        add_page(&texts[n], (command_id)i);
        files[n].path =
            tr_arena_printf(s->arena, "%s/tilerace%s%s.1", folder, name[0] ? "-" : "", name);
        files[n].text = &texts[n];
        n++;
    }
    const char *why = NULL;
    int code = EXIT_CLEAN;
    if (!tr_write_files(s->arena, n, files, &why))
        code = session_complain(s, "%s", why);
    for (size_t i = 0; i < n; i++)
        tr_text_free(&texts[i]);
    return code;
}

int command_manual(session *s)
{
    const driver_options *o = s->options;
    const char *output = options_output(o);
    command_id command = COMMAND_NONE;
    if (o->n_files > 0) {
        command = command_by_name(o->files[0]);
        if (command == COMMAND_NONE || !options_command(command)->about[0])
            return session_complain(s,
                                    "there is no command '%s' with a page; 'tilerace --help' "
                                    "lists them",
                                    o->files[0]);
    } else if (is_folder(output)) {
        return write_all(s, output);
    }
    tr_text text = {0};
    add_page(&text, command);
    int code = session_emit(s, &text);
    tr_text_free(&text);
    return code;
}

/* Says what may stand where a command line ends so far, for shells. */
#include "driver/complete.h"

#include <stdlib.h>
#include <string.h>

#include "driver/explained.h"
#include "report/report.h"
#include "settings/fail_on.h"
#include "settings/option_rows.h"
#include "settings/option_values.h"

enum { SHORTEST_ABOUT = 60 }; /* characters from which on a description may be cut */

typedef struct completion {
    tr_arena *arena;
    tr_text *out;         /* candidates */
    const char *word;     /* that is to be completed */
    const char *kept;     /* what of it stays in front of each candidate */
    const char *wanted;   /* how the candidate has to begin */
    command_id command;   /* COMMAND_NONE: none is named yet */
    const option_row *of; /* whose value the word is; or NULL */
    size_t n_words;       /* before it that are no options */
    bool behind;          /* a `--` stands before it */
    const char *kind;     /* "words", "files", "folders" or "programs" */
} completion;

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Adds as much of a help text as a menu has room for: up to the first `;`, `:` or `,` after some
 * words. */
static void add_about(tr_text *out, const char *about)
{
    size_t n = 0;
    while (about[n] && about[n] != ';' && about[n] != ':' &&
           !(n >= SHORTEST_ABOUT && about[n] == ','))
        n++;
    for (size_t i = 0; i < n; i++)
        tr_text_addn(out, about[i] == '\t' || about[i] == '\n' ? " " : &about[i], 1);
}

static void offer_n(completion *c, const char *word, size_t length, const char *about)
{
    const char *candidate = tr_arena_strndup(c->arena, word, length);
    if (!begins_with(candidate, c->wanted))
        return;
    tr_text_addf(c->out, "%s%s\t", c->kept, candidate);
    add_about(c->out, about);
    tr_text_add(c->out, "\n");
}

static void offer(completion *c, const char *word, const char *about)
{
    offer_n(c, word, strlen(word), about);
}

/* ---- Kinds of values ---- */

static void offer_formats(completion *c)
{
    bool is_check =
        c->command == COMMAND_CHECK || c->command == COMMAND_SCAN || c->command == COMMAND_HOOK;
    report_reach reach = is_check                    ? REPORT_OF_CHECKS
                         : c->command == COMMAND_RUN ? REPORT_OF_RUNS
                                                     : REPORT_OF_ALL;
    for (int f = 0; f < REPORT_FORMAT_COUNT; f++)
        if (report_format_serves((report_format)f, reach))
            offer(c, report_format_name((report_format)f), report_format_about((report_format)f));
}

/* Splits a list with commas: only its last word is completed, and words that it already has are not
 * offered. */
static const char *take_listed(completion *c)
{
    const char *comma = strrchr(c->wanted, ',');
    size_t length = comma ? (size_t)(comma + 1 - c->wanted) : 0;
    const char *listed = tr_arena_strndup(c->arena, c->wanted, length);
    c->kept = tr_arena_printf(c->arena, "%s%s", c->kept, listed);
    c->wanted += length;
    return listed;
}

static bool is_listed(completion *c, const char *listed, const char *word)
{
    return strstr(tr_arena_printf(c->arena, ",%s", listed),
                  tr_arena_printf(c->arena, ",%s,", word)) != NULL;
}

static void offer_failures(completion *c)
{
    const char *listed = take_listed(c), *about, *name;
    for (size_t i = 0; (name = fail_on_name(i, &about)); i++)
        if (!is_listed(c, listed, name))
            offer(c, name, about);
}

static void offer_rules(completion *c, bool all)
{
    const char *listed = all ? "" : take_listed(c);
    explained_word word;
    for (size_t i = 0; explained_word_at(i, &word); i++) {
        bool is_code = word.kind == EXPLAINED_RULE && word.is_code;
        if (is_code ? !is_listed(c, listed, word.word) : all)
            offer(c, word.word, word.about);
    }
}

static void offer_words(completion *c, const char *argument)
{
    size_t length;
    const char *word;
    for (size_t i = 0; (word = option_value_word(argument, i, &length)); i++)
        offer_n(c, word, length, "");
}

static void offer_commands(completion *c)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (options_command((command_id)i)->about[0])
            offer(c, options_command((command_id)i)->name, options_command((command_id)i)->about);
}

static void offer_values(completion *c, const char *argument, bool is_option)
{
    switch (option_value_kind(argument)) {
    case VALUE_WORDS:
        offer_words(c, argument);
        break;
    case VALUE_FILES:
        c->kind = "files";
        break;
    case VALUE_FOLDERS:
        c->kind = "folders";
        break;
    case VALUE_PROGRAMS:
        c->kind = "programs";
        break;
    case VALUE_PAGES:
        offer_commands(c);
        break;
    case VALUE_FORMATS:
        offer_formats(c);
        break;
    case VALUE_FAILURES:
        offer_failures(c);
        break;
    case VALUE_RULES:
        offer_rules(c, !is_option);
        break;
    case VALUE_NUMBERS:
    case VALUE_ANY:
        break;
    }
}

/* ---- Where the word stands ---- */

static bool takes_option(const completion *c, const option_row *row)
{
    return c->command == COMMAND_NONE ? row->commands == ON_ALL
                                      : (row->commands & (1u << c->command)) != 0;
}

static const option_row *option_of(const completion *c, const char *word)
{
    size_t n, length = begins_with(word, "--") ? strcspn(word + 2, "=") : 0;
    const option_row *rows = options_rows(&n);
    for (size_t i = 0; i < n; i++) {
        bool is_long = length > 0 && strlen(rows[i].name) == length &&
                       strncmp(rows[i].name, word + 2, length) == 0;
        bool is_short = word[0] == '-' && word[1] && word[1] == rows[i].letter && !word[2];
        if ((is_long || is_short) && takes_option(c, &rows[i]))
            return &rows[i];
    }
    return NULL;
}

static void take_word(completion *c, const char *word)
{
    if (c->of || c->behind) {
        c->of = NULL;
    } else if (strcmp(word, "--") == 0) {
        c->behind = true;
    } else if (word[0] == '-') {
        const option_row *row = option_of(c, word);
        c->of = row && row->kind != FLAG && !strchr(word, '=') ? row : NULL;
    } else if (c->command == COMMAND_NONE) {
        c->command = command_by_name(word);
        c->behind = c->command != COMMAND_NONE && command_takes_all(c->command);
    } else if (c->command == COMMAND_EXEC) {
        c->behind = true;
    } else {
        c->n_words++;
    }
}

static void offer_options(completion *c)
{
    size_t n;
    const option_row *rows = options_rows(&n);
    for (size_t i = 0; i < n; i++)
        if (takes_option(c, &rows[i]))
            offer(c, tr_arena_printf(c->arena, "--%s", rows[i].name), rows[i].help);
    for (size_t i = 0; i < n; i++)
        if (takes_option(c, &rows[i]) && rows[i].letter)
            offer(c, tr_arena_printf(c->arena, "-%c", rows[i].letter), rows[i].help);
}

/* Finds what belongs at the word's place among the command's arguments: "show [FILE|FOLDER]" has
 * two, and the last one there is stands for all behind it. */
static const char *argument_at(completion *c)
{
    const char *arguments = options_command(c->command)->arguments, *found = "";
    arguments += begins_with(arguments, "-- ") ? 3 : 0;
    for (size_t i = 0; i <= c->n_words && *arguments; i++) {
        size_t length = strcspn(arguments, " ");
        if (begins_with(arguments, "[--") || arguments[0] == '-' || arguments[0] == '|')
            break;
        found = tr_arena_strndup(c->arena, arguments, length);
        arguments += length;
        arguments += strspn(arguments, " ");
    }
    return found + (found[0] == '[');
}

static void complete_last(completion *c)
{
    const char *equals = begins_with(c->word, "--") ? strchr(c->word, '=') : NULL;
    if (c->of) {
        offer_values(c, c->of->argument, true);
    } else if (c->behind) {
        c->kind = c->command == COMMAND_EXEC ? "programs" : "files";
    } else if (equals) {
        const option_row *row = option_of(c, c->word);
        c->kept = tr_arena_strndup(c->arena, c->word, (size_t)(equals + 1 - c->word));
        c->wanted = equals + 1;
        if (row && row->kind != FLAG)
            offer_values(c, row->argument, true);
    } else if (c->word[0] == '-') {
        offer_options(c);
    } else if (c->command == COMMAND_NONE) {
        offer_commands(c);
    } else {
        offer_values(c, argument_at(c), false);
    }
}

void complete_words(tr_text *out, size_t n, const char *const *words)
{
    tr_arena *arena = tr_arena_new();
    tr_text candidates = {0};
    completion c = {.arena = arena,
                    .out = &candidates,
                    .word = n ? words[n - 1] : "",
                    .kept = "",
                    .command = COMMAND_NONE,
                    .kind = "words"};
    c.wanted = c.word;
    for (size_t i = 0; i + 1 < n; i++)
        take_word(&c, words[i]);
    complete_last(&c);
    tr_text_addf(out, "%s\n%s", c.kind, tr_text_get(&candidates));
    tr_text_free(&candidates);
    tr_arena_free(arena);
}

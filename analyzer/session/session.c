#include "session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"
#include "settings/configs.h"
#include "settings/options.h"
#include "settings/settings.h"
#include "solver/command.h"
#include "solver/find_solver.h"
#include "solver/process.h"

int session_complain(session *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tr_text text = {0};
    tr_text_vaddf(&text, format, arguments);
    va_end(arguments);
    tr_say(s->err, "tilerace: error: %s\n", tr_text_get(&text));
    tr_text_free(&text);
    s->complained = true;
    return EXIT_BAD;
}

int session_print(session *s, const tr_text *text)
{
    bool good = fwrite(tr_text_get(text), 1, text->length, s->out) == text->length;
    good = fflush(s->out) == 0 && good;
    if (!good && errno == EPIPE)
        return EXIT_BAD; /* the reader has gone: nobody to tell */
    return good ? EXIT_CLEAN
                : session_complain(s, "the output cannot be written: %s", strerror(errno));
}

int session_emit(session *s, const tr_text *text)
{
    const tr_new_file file = {options_output(s->options), text};
    const char *why = NULL;
    if (!file.path)
        return session_print(s, text);
    return tr_write_files(s->arena, 1, &file, &why) ? EXIT_CLEAN : session_complain(s, "%s", why);
}

static bool variable_set(const char *name)
{
    const char *value = getenv(name);
    return value && value[0];
}

/* It can be written to with more than letters. */
static bool is_terminal(FILE *stream)
{
    const char *terminal = getenv("TERM");
    return terminal && strcmp(terminal, "dumb") != 0 && isatty(fileno(stream)) == 1;
}

/* Decides as supports-hyperlinks does for the programs that ask it, and gcc for its own: not where
 * colour is unwanted, nor on the console of Linux, which would print them. */
bool session_links(const session *s, FILE *stream)
{
    const char *forced = getenv("FORCE_HYPERLINK"), *terminal = getenv("TERM");
    const char *color = s->options->color;
    if (forced && forced[0])
        return strcmp(forced, "0") != 0;
    if ((color && strcmp(color, "never") == 0) || (!color && variable_set("NO_COLOR")))
        return false;
    return is_terminal(stream) && strcmp(terminal, "linux") != 0;
}

bool session_color(const session *s, FILE *stream)
{
    const char *when = s->options->color;
    if (when && strcmp(when, "auto") != 0)
        return strcmp(when, "always") == 0;
    if (variable_set("NO_COLOR"))
        return false;
    if (variable_set("FORCE_COLOR"))
        return true;
    return is_terminal(stream);
}

/* ---- Its solver ---- */

/* A solver that was named must at least be there; what else is wrong with it shows when it is
 * asked. */
static int check_named_solver(session *s, const char *command)
{
    const char *program = smt_split_command(s->arena, command)[0];
    program = program ? program : "";
    if (tr_program_is_there(s->arena, program))
        return EXIT_CLEAN;
    return session_complain(s, "--solver: '%s' is not a program that can be run", program);
}

int session_find_solver(session *s)
{
    s->solver = s->options->solver;
    if (s->solver)
        return check_named_solver(s, s->solver);
    const char *why = NULL;
    s->solver = smt_find_solver(s->arena, &why);
    return s->solver ? EXIT_CLEAN : session_complain(s, "%s", why);
}

/* ---- What holds for an input ---- */

const settings *session_settings(const session *s, size_t number)
{
    return s->settings ? s->settings[number] : configs_without_file(s->configs);
}

rules_options session_rules(const session *s, size_t number)
{
    const settings *st = session_settings(s, number);
    rules_options options = s->rules;
    options.strict = st->of[SETTING_strict].truth;
    options.notes = settings_ask_for_notes(st);
    options.steps = (smt_steps)st->of[SETTING_steps].number;
    return options;
}

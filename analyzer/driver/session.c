/* What every command does before and after its own work. */
#include "driver/session.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/installed.h"
#include "base/process.h"
#include "driver/lookups.h"
#include "driver/outputs.h"
#include "smt/solver.h"

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

/* As supports-hyperlinks has it for the programs that ask it, and gcc for its own: not where colour
 * is unwanted, nor on the console of Linux, which would print them. */
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

/* ---- Finding tile.h ---- */

/* Installed, then in a build of a source tree; programs of tests lie one folder deeper. */
static const char *find_include_folder(tr_arena *arena)
{
    static const char *const places[] = {"include/tilerace/tile.h", "include/tile.h",
                                         "../../include/tile.h", "../../../include/tile.h", NULL};
    const char *header = tr_find_installed(arena, places);
    return header ? tr_arena_strndup(arena, header, (size_t)(strrchr(header, '/') - header)) : NULL;
}

/* ---- The run ---- */

/* A solver that was named must at least be there; what else is wrong with it shows when it is
 * asked. */
static int check_named_solver(session *s, const char *command)
{
    const char *program = smt_split_command(s->arena, command)[0];
    program = program ? program : "";
    if (tr_program_is_there(s->arena, program))
        return EXIT_CLEAN;
    return session_complain(s, "--solver: '%s' is no program that can be run", program);
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

static int read_launches(session *s)
{
    tr_errors errors = tr_errors_make(s->arena);
    s->launches = launch_file_read(s->arena, s->options->launch, &errors);
    loaded holder = {.file = s->options->launch, .errors = errors};
    if (!s->launches)
        load_complain(s, &holder);
    tr_errors_free(&errors);
    return s->launches ? EXIT_CLEAN : EXIT_BAD;
}

static int prepare(session *s)
{
    const driver_options *o = s->options;
    s->rules.model = model_default_choices();
    s->rules.strict = o->strict;
    s->rules.notes = o->notes;
    s->rules.steps = (smt_steps)o->steps;
    if (o->loop_tokens)
        s->rules.model.loop_tokens =
            strcmp(o->loop_tokens, "per-name") == 0 ? MODEL_PER_NAME : MODEL_PER_ITERATION;
    if (outputs_spare(s, o->n_files, o->files) != EXIT_CLEAN ||
        outputs_spare(s, 1, &o->launch) != EXIT_CLEAN)
        return EXIT_BAD;
    if (!o->compile_commands && !o->isolated)
        s->found_commands = compile_dbs_open();
    if (o->compile_commands) {
        const char *why = NULL;
        s->commands = compile_db_read(s->arena, o->compile_commands, &why);
        if (!s->commands)
            return session_complain(s, "%s", why);
    }
    if (o->launch && read_launches(s) != EXIT_CLEAN)
        return EXIT_BAD;
    char folder[PATH_MAX];
    if (getcwd(folder, sizeof folder))
        s->working_folder = tr_arena_strdup(s->arena, folder);
    s->include_folder = find_include_folder(s->arena);
    return EXIT_CLEAN;
}

int session_prepare(session *s)
{
    s->prepared = lookups_new();
    lookup_list *before = lookups_watch(s->prepared);
    int code = prepare(s);
    lookups_watch(before);
    return code;
}

const settings *session_settings(const session *s, size_t number)
{
    return s->settings ? s->settings[number] : configs_without_file(s->configs);
}

void session_release(session *s)
{
    compile_db_free(s->commands);
    compile_dbs_close(s->found_commands);
    s->found_commands = NULL;
    if (s->launches)
        launch_file_free(s->launches);
    if (s->seen)
        recorded_launches_free(s->seen);
    lookups_free(s->prepared);
    s->prepared = NULL;
    s->commands = NULL;
    s->launches = NULL;
    s->seen = NULL;
}

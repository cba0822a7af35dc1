#include "program/program.h"

#include "driver/commands.h"
#include "driver/prepare.h"
#include "driver/version.h"
#include "processes/pool.h"
#include "session/progress.h"
#include "session/session.h"
#include "settings/options.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct session_job {
    session *s;
    int code;
} session_job;

static void run_job(void *user, size_t i)
{
    (void)i;
    session_job *run = user;
    static int (*const functions[])(session *) = {
#define COMMAND(id, name, arguments, min, max, function, about) function,
#include "settings/commands.def"
    };
    run->code = functions[run->s->options->command](run->s);
}

/* Does the command prepare the session itself? Its options are those of another compiler, which it
 * reads first. */
static bool prepares_itself(command_id command)
{
    return command == COMMAND_CC || command == COMMAND_NVCC;
}

/* Is progress shown? It is on a terminal that can erase a line, unless --quiet is given. */
static bool shows_progress(const session *s)
{
    const char *terminal = getenv("TERM");
    return !s->options->quiet && terminal && strcmp(terminal, "dumb") != 0 &&
           isatty(fileno(s->err)) == 1;
}

/* Runs the command of the options; releases what it took. */
static int run_command(session *s)
{
    session_job run = {.s = s};
    bool forks = s->options->command == COMMAND_EXEC || s->options->command == COMMAND_BESIDE ||
                 s->options->command == COMMAND_LSP || s->options->follow;
    if (options_write_reports(s->options->command) && !forks)
        s->progress = progress_start(s->err, shows_progress(s), s->options->verbose);
    if (!prepares_itself(s->options->command))
        run.code = prepare_session(s);
    if (run.code == EXIT_CLEAN && forks)
        run_job(&run, 0); /* it forks, and takes the signals of the process: with one thread */
    else if (run.code == EXIT_CLEAN)
        pool_run(1, 1, run_job, &run); /* for its stack: sources may nest deeply */
    progress_stop(s->progress);
    prepare_release(s);
    return run.code;
}

/* Text that was printed on the way may still be in the stream's buffer. */
static int finish_output(session *s, int code)
{
    bool good = fflush(s->out) == 0 && !ferror(s->out);
    if (good || (code == EXIT_BAD && s->complained) || errno == EPIPE)
        return good ? code : EXIT_BAD;
    return session_complain(s, "the output cannot be written: %s", strerror(errno));
}

int command_main(FILE *out, FILE *err, int argc, const char *const *argv)
{
    signal(SIGPIPE, SIG_IGN); /* a reader that has gone is an error value */
    signal(SIGXFSZ, SIG_IGN); /* and so is a file that may not grow */
    /* cJSON leaves out what it has no memory for; nothing is ever left out of a report so. */
    cJSON_InitHooks(&(cJSON_Hooks){tr_allocate, free});
    tr_arena *arena = tr_arena_new();
    driver_options options;
    session s = {.arena = arena, .options = &options, .out = out, .err = err};
    const char *why = NULL;
    int code = EXIT_CLEAN;
    tr_text text = {0};
    if (argc <= 1) {
        options_first_steps(&text);
        fputs(tr_text_get(&text), err);
        code = EXIT_BAD;
    } else if (!options_parse(arena, argc, argv, &options, &why)) {
        code = session_complain(&s, "%s", why);
    } else if (options.version) {
        version_tell(arena, &text);
        code = session_emit(&s, &text);
    } else if (options.help) {
        options_help(&text, options.command);
        code = session_emit(&s, &text);
    } else {
        code = run_command(&s);
    }
    code = finish_output(&s, code);
    tr_text_free(&text);
    tr_arena_free(arena);
    return code;
}

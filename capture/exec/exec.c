/* tilerace exec: runs a program, unchanged, and checks every tile kernel and launch of it. */
#include "driver/session.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "driver/fail_on.h"
#include "exec/program.h"
#include "exec/summary.h"

enum {
    ROUND_MS = 500,
    /* After the program's end: for processes that it left behind and that say nothing. */
    AFTERWARDS_MS = 3000,
};

#define INTERPRET_STEPS 1000000000

typedef struct execution {
    session *s;
    watch watch;
    judge_options judging;
    unsigned fail_on;
    char folder[64]; /* private, of the socket; "": none yet */
    char socket[80];
    int signals; /* signalfd */
    pid_t program;
    bool has_ended;
    bool is_interrupted; /* after that */
    int code;            /* of the program, as a shell tells it */
} execution;

/* ---- Section: Before ---- */

static int make_socket(execution *e)
{
    const char *temporary = getenv("TMPDIR"), *why = NULL;
    bool fits = temporary && temporary[0] == '/' && strlen(temporary) < 32;
    snprintf(e->folder, sizeof e->folder, "%s/tilerace-XXXXXX", fits ? temporary : "/tmp");
    if (!mkdtemp(e->folder)) {
        int code =
            session_complain(e->s, "a folder for the socket cannot be made: %s", strerror(errno));
        e->folder[0] = 0;
        return code;
    }
    snprintf(e->socket, sizeof e->socket, "%s/socket", e->folder);
    return watch_listen(&e->watch, e->socket, &why)
               ? EXIT_CLEAN
               : session_complain(e->s, "the checker cannot listen: %s", why);
}

/* The program's end and what others send us come as something to read. A terminal's interrupt
 * reaches the program by itself. */
static int take_signals(execution *e)
{
    static const int taken[] = {SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < TR_COUNT(taken); i++)
        sigaddset(&set, taken[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    e->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return e->signals >= 0 ? EXIT_CLEAN : session_complain(e->s, "signalfd: %s", strerror(errno));
}

static int start(execution *e)
{
    session *s = e->s;
    const char *why = NULL;
    bool dry_run = s->options->dry_run || s->options->interpret;
    if (s->options->interpret && !s->options->dry_run && program_has_gpu()) {
        fprintf(s->err, "tilerace: kernels are executed on the interpreter, on a stand-in driver "
                        "(--interpret), and not on the GPU\n");
    } else if (!dry_run && !program_has_gpu()) {
        dry_run = true;
        fprintf(s->err, "tilerace: there is no GPU with its driver: kernels are not run, on a "
                        "stand-in driver (--dry-run)\n");
    }
    const program_libraries *libraries = program_find_libraries(s->arena, dry_run, &why);
    if (!libraries)
        return session_complain(s, "%s", why);
    e->watch.runs_kernels = !dry_run;
    program_environment environment = {
        .socket = e->socket, .libraries = libraries, .dry_run = dry_run};
    e->program = program_start(s->arena, s->options->behind, &environment, &why);
    return e->program > 0 ? EXIT_CLEAN : session_complain(s, "%s", why);
}

/* ---- Section: Meanwhile ---- */

static void reap(execution *e)
{
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
        if (pid != e->program)
            continue;
        e->has_ended = true;
        e->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
}

static void read_signals(execution *e)
{
    struct signalfd_siginfo info;
    while (read(e->signals, &info, sizeof info) == sizeof info) {
        bool is_for_program = info.ssi_signo == SIGTERM || info.ssi_signo == SIGHUP;
        if (is_for_program && !e->has_ended)
            kill(e->program, (int)info.ssi_signo);
        e->is_interrupted |= e->has_ended && (info.ssi_signo == SIGINT || is_for_program);
    }
    reap(e);
}

static void look_on(execution *e)
{
    int64_t until = 0;
    for (;;) {
        watch_round(&e->watch, e->signals, ROUND_MS);
        read_signals(e);
        if (!e->has_ended)
            continue;
        if (e->is_interrupted) { /* nobody wants to wait for what is still to be judged */
            watch_stop(&e->watch, "it was interrupted");
            return;
        }
        int64_t now = tr_now_ms();
        until = until ? until : now + AFTERWARDS_MS;
        if (watch_is_quiet(&e->watch) || (now > until && watch_is_idle(&e->watch)))
            return;
    }
}

/* ---- Section: After ---- */

static int conclude(execution *e)
{
    session *s = e->s;
    summary sum = summary_of(&e->watch);
    tr_text text = {0};
    summary_write(&text, &e->watch, &sum);
    int ours = summary_exit(&sum, e->fail_on);
    if (ours != EXIT_CLEAN && s->options->error_exitcode)
        ours = (int)s->options->error_exitcode;
    bool is_its_own = e->code != 0 || ours == EXIT_CLEAN;
    tr_text_addf(&text, "tilerace: exit code %d is %s\n", is_its_own ? e->code : ours,
                 is_its_own ? "the program's own" : "the checker's");
    fputs(tr_text_get(&text), s->err);
    tr_text_free(&text);
    return is_its_own ? e->code : ours;
}

static void clean_up(execution *e)
{
    watch_free(&e->watch);
    if (e->signals >= 0)
        close(e->signals);
    if (e->socket[0])
        unlink(e->socket);
    if (e->folder[0])
        rmdir(e->folder);
}

/* A program is checked whether its recording can be written or not. */
static void open_recording(execution *e)
{
    const char *why = NULL, *folder = e->s->options->recording;
    if (e->s->options->no_recording)
        return;
    e->judging.recording = recording_open(e->s->arena, folder ? folder : ".tilerace", &why);
    if (!e->judging.recording)
        modules_not_recorded(&e->watch.modules, why);
}

static int run(execution *e)
{
    open_recording(e);
    int code = make_socket(e);
    if (code == EXIT_CLEAN)
        code = take_signals(e);
    if (code == EXIT_CLEAN)
        code = start(e);
    if (code == EXIT_CLEAN) {
        look_on(e);
        code = conclude(e);
    }
    clean_up(e);
    return code;
}

int command_exec(session *s)
{
    const driver_options *o = s->options;
    const char *why = NULL;
    execution e = {.s = s, .signals = -1};
    e.watch = (watch){.arena = s->arena, .err = s->err, .listener = -1};
    if (o->n_behind == 0)
        return session_complain(s, "'exec' needs a command: tilerace exec -- COMMAND");
    if (!fail_on_read(s->arena, o, &e.fail_on, &why))
        return session_complain(s, "%s", why);
    if (!o->fail_on)
        e.fail_on |= FAIL_ON_BROKEN | FAIL_ON_UNSEEN;
    if (session_find_solver(s) != EXIT_CLEAN)
        return EXIT_BAD;
    e.judging = (judge_options){
        .solver = s->solver,
        .steps = (uint64_t)o->steps,
        .strict = o->strict,
        .check_contents = o->check_contents,
        .interpret_steps = o->interpret_steps ? (uint64_t)o->interpret_steps : INTERPRET_STEPS,
        .program = o->behind[0],
        .report = {.color = session_color(s, s->err), .folder = s->working_folder},
    };
    e.watch.flags = (o->check_contents ? WIRE_CHECK_CONTENTS : 0) |
                    (o->interpret ? WIRE_INTERPRET : 0) | (o->stop_at_race ? WIRE_STOP_AT_RACE : 0);
    e.watch.stop_at_race = o->stop_at_race;
    e.watch.modules = (modules){.arena = s->arena, .options = &e.judging};
    return run(&e);
}

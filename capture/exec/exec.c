/* tilerace exec: runs a program, unchanged, and checks every tile kernel and launch of it; tilerace
 * serve: is the checker of a program that runs already. */
#include "session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "driver/commands.h"
#include "exec/dumps.h"
#include "exec/program.h"
#include "exec/remarks.h"
#include "exec/summary.h"
#include "session/asked.h"
#include "settings/fail_on.h"

enum {
    ROUND_MS = 500,
    /* Time after the program's end: for processes that it left behind and that say nothing. */
    AFTERWARDS_MS = 3000,
};

#define INTERPRET_STEPS 1000000000

typedef struct execution {
    session *s;
    watch watch;
    judge_options judging;
    bool interprets; /* launches are executed */
    bool is_beside;  /* of a program that runs already, which asked for that itself */
    unsigned fail_on;
    char folder[64]; /* private, of the socket; "": none yet */
    char socket[80];
    dumps dumps;
    int signals; /* signalfd */
    pid_t program;
    bool has_ended;
    bool is_interrupted; /* after that */
    int code;            /* of the program, as a shell tells it */
} execution;

/* ---- Section: Before ---- */

/* Makes the socket at a path that was asked for. */
static int make_named_socket(execution *e, const char *path)
{
    const char *why = NULL;
    if (strlen(path) >= sizeof e->socket)
        return session_complain(e->s, "the path of the socket is too long");
    if (!watch_listen(&e->watch, path, &why))
        return session_complain(e->s, "the checker cannot listen at %s: %s", path, why);
    strcpy(e->socket, path);
    return EXIT_CLEAN;
}

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

/* Returns the libraries that the program gets; NULL after a complaint. */
static const program_libraries *choose_libraries(execution *e, bool *is_dry_run)
{
    session *s = e->s;
    const char *why = NULL;
    bool dry_run = s->options->dry_run || e->interprets;
    if (e->interprets && !e->is_beside && !s->options->dry_run && program_has_gpu()) {
        tr_say(s->err,
               "tilerace: the GPU is not used: programs get a stand-in driver, and kernels are "
               "executed on the interpreter (--interpret)\n");
    } else if (!dry_run && !program_has_gpu()) {
        dry_run = true;
        tr_say(s->err,
               "tilerace: no GPU with a driver was found: programs get a stand-in driver, and "
               "kernels are not run (--dry-run)\n");
    }
    const program_libraries *libraries = program_find_libraries(s->arena, dry_run, &why);
    if (!libraries)
        session_complain(s, "%s", why);
    e->watch.runs_kernels = !dry_run;
    *is_dry_run = dry_run;
    return libraries;
}

static int start(execution *e)
{
    session *s = e->s;
    const char *why = NULL;
    bool dry_run;
    const program_libraries *libraries = choose_libraries(e, &dry_run);
    if (!libraries)
        return EXIT_BAD;
    dumps_open(&e->dumps, &e->watch, tr_arena_printf(s->arena, "%s/modules", e->folder));
    program_environment environment = {
        .socket = e->socket, .libraries = libraries, .dry_run = dry_run, .dumps = e->dumps.path};
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
        bool ends_now = e->has_ended && until == 0;
        dumps_look(&e->dumps, ends_now);
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

/* False after a complaint. */
static bool write_summary(const execution *e, const summary *sum)
{
    const char *path = e->s->options->summary, *why = NULL;
    if (!path || exec_summary_write_json(path, &e->watch, sum, &why))
        return true;
    session_complain(e->s, "the summary cannot be written to %s: %s", path, why);
    return false;
}

static int conclude(execution *e)
{
    session *s = e->s;
    watch_tie_by_name(&e->watch);
    summary sum = exec_summary_of(&e->watch);
    tr_text text = {0};
    sum.wrong_comments = remarks_write(&text, &e->watch, s->working_folder);
    exec_summary_write(&text, &e->watch, &sum);
    int ours = exec_summary_exit(&sum, e->fail_on);
    if (ours != EXIT_CLEAN && s->options->error_exitcode)
        ours = (int)s->options->error_exitcode;
    if (!write_summary(e, &sum))
        ours = EXIT_BAD;
    bool is_its_own = e->program && (e->code != 0 || ours == EXIT_CLEAN);
    tr_text_addf(&text, "tilerace: exit code %d is %s\n", is_its_own ? e->code : ours,
                 is_its_own ? "the program's own" : "the checker's");
    fputs(tr_text_get(&text), s->err);
    tr_text_free(&text);
    return is_its_own ? e->code : ours;
}

static void clean_up(execution *e)
{
    dumps_close(&e->dumps);
    watch_free(&e->watch);
    if (e->signals >= 0)
        close(e->signals);
    if (e->socket[0])
        unlink(e->socket);
    if (e->folder[0])
        rmdir(e->folder);
}

/* A program is checked whether its recording can be written or not. */
static void open_recording(execution *e, const char *folder)
{
    const char *why = NULL;
    if (!folder)
        return;
    e->judging.recording = recording_open(e->s->arena, folder, &why);
    if (!e->judging.recording)
        modules_not_recorded(&e->watch.modules, why);
}

static int run(execution *e)
{
    const driver_options *o = e->s->options;
    const char *folder = o->recording ? o->recording : ".tilerace";
    open_recording(e, o->no_recording ? NULL : folder);
    int code = make_socket(e);
    if (code == EXIT_CLEAN)
        code = take_signals(e);
    if (code == EXIT_CLEAN)
        code = start(e);
    if (code == EXIT_CLEAN) {
        look_on(e);
        dumps_end(&e->dumps);
        code = conclude(e);
    }
    clean_up(e);
    return code;
}

/* Reads what options and environment say to both commands. */
static int prepare(execution *e, session *s)
{
    const driver_options *o = s->options;
    asked is;
    *e = (execution){.s = s, .signals = -1};
    e->watch = (watch){.arena = s->arena, .err = s->err, .listener = -1};
    if (asked_read(s, &is) != EXIT_CLEAN || session_find_solver(s) != EXIT_CLEAN)
        return EXIT_BAD;
    e->judging = (judge_options){
        .solver = s->solver,
        .steps = (uint64_t)o->steps,
        .strict = o->strict,
        .check_contents = o->check_contents,
        .interpret_steps = o->interpret_steps ? (uint64_t)o->interpret_steps : INTERPRET_STEPS,
        .program = o->n_behind ? o->behind[0] : NULL,
        .report = {.color = session_color(s, s->err), .folder = s->working_folder},
    };
    bool stops = o->stop_at_race || is >= ASKED_ERROR;
    e->interprets = o->interpret || is == ASKED_INTERPRET;
    e->watch.flags = (o->check_contents ? WIRE_CHECK_CONTENTS : 0) |
                     (e->interprets ? WIRE_INTERPRET : 0) | (stops ? WIRE_STOP_AT_RACE : 0);
    e->watch.stop_at_race = stops;
    e->watch.modules = (modules){.arena = s->arena, .options = &e->judging};
    return EXIT_CLEAN;
}

int command_exec(session *s)
{
    const driver_options *o = s->options;
    const char *why = NULL;
    execution e;
    if (prepare(&e, s) != EXIT_CLEAN)
        return EXIT_BAD;
    if (o->n_behind == 0)
        return session_complain(s, "'exec' needs a command: tilerace exec -- COMMAND");
    if (!fail_on_read(s->arena, o, &e.fail_on, &why))
        return session_complain(s, "%s", why);
    if (!o->fail_on)
        e.fail_on |= FAIL_ON_BROKEN | FAIL_ON_UNSEEN;
    return run(&e);
}

/* ---- Section: Beside a program that runs already ---- */

/* Tells the program where its parts are, each text with its zero byte: the socket, the library that
 * has the recorder, the folders of the hooks, and "1" where that library is the stand-in driver. */
static void tell_where(const execution *e, const program_libraries *libraries, bool dry_run)
{
    const char *recorder =
        dry_run ? tr_arena_printf(e->s->arena, "%s/libcuda.so.1", libraries->stand_in)
                : libraries->preload;
    const char *const words[] = {e->socket, recorder, libraries->python, dry_run ? "1" : ""};
    for (size_t i = 0; i < TR_COUNT(words); i++)
        fwrite(words[i], 1, strlen(words[i]) + 1, e->s->out);
    fflush(e->s->out);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    /* The end of what is said, which the program waits for. */
    dup2(nowhere >= 0 ? nowhere : STDERR_FILENO, STDOUT_FILENO);
}

/* Has the input ended, which says that the program has? An input that cannot be read counts as
 * ended, since nothing else would say it. */
static bool input_has_ended(execution *e)
{
    char unread[64];
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&input, 1, 0) <= 0)
        return false;
    ssize_t n = read(STDIN_FILENO, unread, sizeof unread);
    if (n < 0 && errno == EINTR)
        return false;
    if (n < 0)
        tr_say(e->s->err, "tilerace: standard input cannot be read: %s: nothing more is checked\n",
               strerror(errno));
    return n <= 0;
}

/* Reads the messages that have been sent already, and their judgement. A program that goes on
 * speaking is left. */
static void hear_the_rest(execution *e)
{
    int64_t until = tr_now_ms() + AFTERWARDS_MS;
    while (watch_round(&e->watch, -1, watch_is_idle(&e->watch) ? 0 : ROUND_MS) ||
           !watch_is_idle(&e->watch))
        if (tr_now_ms() > until && watch_is_idle(&e->watch))
            return;
}

static void serve(execution *e)
{
    while (!input_has_ended(e))
        watch_round(&e->watch, STDIN_FILENO, ROUND_MS);
    hear_the_rest(e);
}

/* Findings were told to the program. */
static void say_the_rest(execution *e)
{
    watch_tie_by_name(&e->watch);
    summary sum = exec_summary_of(&e->watch);
    tr_text text = {0};
    bool is_open = sum.not_checked > 0 || sum.lost > 0 || sum.cut > 0 || sum.not_executed > 0 ||
                   sum.unseen > 0 || sum.launches[JUDGED_NOT_CHECKED] > 0 ||
                   sum.launches[JUDGED_UNDECIDED] > 0;
    if (e->s->options->summary)
        write_summary(e, &sum);
    else if (is_open)
        exec_summary_write(&text, &e->watch, &sum);
    fputs(tr_text_get(&text), e->s->err);
    tr_text_free(&text);
}

/* Serves programs that others start, until it is told to end. */
static int serve_at(execution *e, const char *path)
{
    const char *why = NULL;
    const program_libraries *libraries = program_find_libraries(e->s->arena, false, &why);
    if (!libraries)
        return session_complain(e->s, "%s", why);
    e->watch.runs_kernels = true;
    int code = make_named_socket(e, path);
    if (code == EXIT_CLEAN)
        code = take_signals(e);
    if (code != EXIT_CLEAN)
        return code;
    tr_say(e->s->err,
           "tilerace: programs with these variables in their environment are checked:\n");
    tr_say(e->s->err, "TILERACE_CAPTURE=%s\n", path);
    tr_say(e->s->err, "CUDA_INJECTION64_PATH=%s\n", libraries->preload);
    for (e->has_ended = true; !e->is_interrupted; read_signals(e))
        watch_round(&e->watch, e->signals, ROUND_MS);
    hear_the_rest(e);
    e->fail_on = FAIL_ON_BROKEN | FAIL_ON_UNSEEN;
    return conclude(e);
}

int command_beside(session *s)
{
    static const int of_group[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP};
    execution e;
    bool dry_run;
    if (prepare(&e, s) != EXIT_CLEAN)
        return EXIT_BAD;
    open_recording(&e, s->options->recording);
    if (s->options->listen) {
        int status = serve_at(&e, s->options->listen);
        clean_up(&e);
        return status;
    }
    e.is_beside = true;
    for (size_t i = 0; i < TR_COUNT(of_group); i++)
        signal(of_group[i], SIG_IGN); /* they are for the program, with which we end */
    const program_libraries *libraries = choose_libraries(&e, &dry_run);
    int code = libraries ? make_socket(&e) : EXIT_BAD;
    if (code == EXIT_CLEAN) {
        tell_where(&e, libraries, dry_run);
        serve(&e);
        say_the_rest(&e);
    }
    clean_up(&e);
    return code;
}

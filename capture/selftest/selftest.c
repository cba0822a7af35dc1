/* tilerace selftest: a kernel with a race and one without, by each way that kernels take here. A
 * tool that has never reported an error looks like one that is not running. */
#include "session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/installed.h"
#include "base/process.h"
#include "driver/commands.h"
#include "exec/program.h"
#include "selftest/kernels.h"
#include "selftest/program.h"

enum {
    PATIENCE_MS = 120000, /* for one command */
    MOST_WORDS = 12,
    MOST_OUTPUT = 1 << 20,
};

/* A launch that is not decided must not pass. */
#define UNKNOWN_IS_3 "--fail-on", "error,broken,unseen,unknown"

typedef struct selftest {
    session *s;
    char folder[64]; /* private: the kernels' files */
    const char *self;
} selftest;

typedef struct step_command { /* that brings one kernel to the checker */
    const char *words[MOST_WORDS];
    const char *variable; /* of its environment; or NULL */
    const char *skip;     /* why there is none */
} step_command;

static const char *path_of(const selftest *t, int kernel, selftest_language language)
{
    return tr_arena_printf(t->s->arena, "%s/%s", t->folder,
                           selftest_file_of(kernel, language).name);
}

/* ---- Section: The ways ---- */

static step_command command_for_module(const selftest *t, int kernel)
{
    return (step_command){
        .words = {t->self, "check", UNKNOWN_IS_3, path_of(t, kernel, SELFTEST_MODULE)}};
}

static step_command command_for_source(const selftest *t, int kernel)
{
    step_command c = {
        .words = {t->self, "check", UNKNOWN_IS_3, path_of(t, kernel, SELFTEST_SOURCE)}};
    dialect_can_read(&c.skip);
    return c;
}

static const char *as_program(const selftest *t, int kernel)
{
    return tr_arena_printf(t->s->arena, "%s=%s:%s", SELFTEST_PROGRAM_VARIABLE,
                           path_of(t, kernel, SELFTEST_MODULE),
                           selftest_file_of(kernel, SELFTEST_MODULE).kernel);
}

static step_command command_for_exec(const selftest *t, int kernel)
{
    return (step_command){.words = {t->self, "exec", "--dry-run", "--no-recording", UNKNOWN_IS_3,
                                    "--", t->self, "selftest"},
                          .variable = as_program(t, kernel)};
}

static step_command command_for_gpu(const selftest *t, int kernel)
{
    return (step_command){
        .words = {t->self, "exec", "--no-recording", UNKNOWN_IS_3, "--", t->self, "selftest"},
        .variable = as_program(t, kernel),
        .skip = program_has_gpu() ? NULL : "there is no GPU with its driver",
    };
}

/* Does it run, and end with 0? */
static bool succeeds(const selftest *t, const char *const *words)
{
    const char *why;
    tr_process_end end = {.exit_status = -1};
    tr_process *p = tr_process_start(t->s->arena, words, &why);
    if (p)
        tr_process_wait(p, PATIENCE_MS, &end);
    tr_process_free(p);
    return p && end.exit_status == 0;
}

/* The Python of the environment that this program is in, where it is in one. */
static const char *find_python(tr_arena *arena)
{
    static const char *const places[] = {"bin/python3", NULL};
    const char *root = tr_installation_root(arena);
    return tr_find_installed(arena, places) ? tr_arena_printf(arena, "%s/bin/python3", root)
                                            : "python3";
}

static step_command command_for_python(const selftest *t, int kernel)
{
    const char *python = find_python(t->s->arena);
    const char *const imports[] = {python, "-c", "import cuda.tile, numpy", NULL};
    return (step_command){
        .words = {t->self, "exec", "--dry-run", "--no-recording", UNKNOWN_IS_3, "--", python,
                  path_of(t, kernel, SELFTEST_SCRIPT)},
        .skip =
            succeeds(t, imports) ? NULL : "python3 has no packages cuda-tile and numpy to import",
    };
}

/* ---- Section: One step ---- */

typedef struct ending {
    int code; /* -1: it did not end by itself */
    const char *said;
} ending;

static ending run_command(const selftest *t, const step_command *c)
{
    tr_arena *arena = t->s->arena;
    const char *why = NULL;
    tr_process_end end = {.exit_status = -1};
    tr_text out = {0};
    tr_process *p = c->variable ? tr_process_start_with(arena, c->words, c->variable, true, &why)
                                : tr_process_start(arena, c->words, &why);
    if (!p)
        return (ending){-1, why};
    tr_process_close_input(p);
    tr_process_read_all(p, PATIENCE_MS, MOST_OUTPUT, &out);
    tr_process_wait(p, PATIENCE_MS, &end);
    ending e = {end.exit_status,
                tr_arena_printf(arena, "%s%s", tr_text_get(&out), tr_process_errors(p))};
    tr_text_free(&out);
    tr_process_free(p);
    return e;
}

static int say(selftest *t, const char *name, const char *about, const char *what)
{
    fprintf(t->s->out, "%-8s %s: %s\n", name, about, what);
    return EXIT_CLEAN;
}

/* The racy kernel must be reported and the other one must not. */
static int try_step(selftest *t, const char *name, const char *about,
                    step_command (*command)(const selftest *, int))
{
    static const int expected[SELFTEST_KERNELS] = {EXIT_FINDINGS, EXIT_CLEAN};
    static const char *const wrong[SELFTEST_KERNELS] = {
        [SELFTEST_RACY] = "FAILED: the kernel with a race passed",
        [SELFTEST_FINE] = "FAILED: the kernel without a race was reported"};
    for (int kernel = 0; kernel < SELFTEST_KERNELS; kernel++) {
        step_command c = command(t, kernel);
        if (c.skip)
            return say(t, name, about, tr_arena_printf(t->s->arena, "skipped: %s", c.skip));
        ending e = run_command(t, &c);
        if (e.code == expected[kernel])
            continue;
        if (e.code == SELFTEST_CANNOT_LAUNCH)
            return say(t, name, about,
                       tr_arena_printf(t->s->arena, "skipped: it cannot be launched\n%s", e.said));
        bool is_answer = e.code == EXIT_CLEAN || e.code == EXIT_FINDINGS;
        const char *what = is_answer                  ? wrong[kernel]
                           : e.code == EXIT_UNDECIDED ? "FAILED: a kernel is not decided"
                                                      : "FAILED: it cannot run";
        say(t, name, about,
            tr_arena_printf(t->s->arena, "%s (exit code %d)\n%s", what, e.code, e.said));
        return is_answer ? EXIT_FINDINGS : EXIT_BAD;
    }
    return say(t, name, about, "the racy kernel is reported, the other one passes");
}

/* ---- Section: All of them ---- */

static int write_kernels(selftest *t)
{
    const char *temporary = getenv("TMPDIR");
    bool fits = temporary && temporary[0] == '/' && strlen(temporary) < 32;
    snprintf(t->folder, sizeof t->folder, "%s/tilerace-XXXXXX", fits ? temporary : "/tmp");
    if (!mkdtemp(t->folder))
        return session_complain(t->s, "%s cannot be made: %s", t->folder, strerror(errno));
    for (int kernel = 0; kernel < SELFTEST_KERNELS; kernel++)
        for (selftest_language l = 0; l < SELFTEST_LANGUAGES; l++) {
            selftest_file f = selftest_file_of(kernel, l);
            FILE *file = fopen(path_of(t, kernel, l), "wb");
            size_t size = (size_t)(f.end - f.begin);
            bool good = file && fwrite(f.begin, 1, size, file) == size;
            if ((file && fclose(file) != 0) || !good)
                return session_complain(t->s, "%s cannot be written: %s", path_of(t, kernel, l),
                                        strerror(errno));
        }
    return EXIT_CLEAN;
}

static void remove_kernels(const selftest *t)
{
    for (int kernel = 0; kernel < SELFTEST_KERNELS; kernel++)
        for (selftest_language l = 0; l < SELFTEST_LANGUAGES; l++)
            unlink(path_of(t, kernel, l));
    rmdir(t->folder);
}

/* A step that could not run is worse than one that ran and was wrong. */
static int worse(int a, int b)
{
    return a > b ? a : b;
}

static int be_program(session *s, const char *what)
{
    const char *why = NULL;
    int code = selftest_program(s->arena, what, &why);
    if (code != SELFTEST_LAUNCHED)
        session_complain(s, "%s", why);
    return code;
}

int command_selftest(session *s)
{
    const char *what = getenv(SELFTEST_PROGRAM_VARIABLE);
    if (what)
        return be_program(s, what);
    selftest t = {.s = s, .self = "/proc/self/exe"};
    char self[4096];
    ssize_t length = readlink(t.self, self, sizeof self - 1);
    if (length > 0) {
        self[length] = 0;
        t.self = self;
    }
    int code = write_kernels(&t);
#define STEP(id, name, about, command)                                                             \
    if (code != EXIT_BAD)                                                                          \
        code = worse(code, try_step(&t, name, about, command));
#include "selftest/steps.def"
    remove_kernels(&t);
    fprintf(s->out, code == EXIT_CLEAN ? "tilerace reports what it must\n"
                                       : "tilerace does NOT report what it must\n");
    return code;
}

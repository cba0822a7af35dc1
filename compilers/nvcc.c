/* tilerace-nvcc: runs nvcc as it is called, then checks the tile kernels of what it made. What nvcc
 * makes, prints and returns is its own. */
#include "compilers/nvcc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ds.h"
#include "bytecode/images.h"
#include "compilers/kernels.h"
#include "compilers/real.h"
#include "compilers/recorded.h"
#include "compilers/unchecked.h"
#include "driver/commands.h"
#include "driver/prepare.h"
#include "session/session.h"
#include "solver/find_solver.h"

typedef struct launcher {
    session *s;
    const nvcc_command *command;
    const char *const *program; /* NULL-ended */
    report_options how;
    report_tally tally;
    const char **said; /* stb_ds array: messages of a module, so that those that are the same for
                          another architecture are not repeated */
} launcher;

/* ---- Section: One module ---- */

static report_grading grading_of(const void *user, const tr_place *kernel)
{
    (void)kernel;
    const nvcc_command *c = user;
    report_severity race = c->errors ? REPORT_ERROR : REPORT_WARNING;
    return (report_grading){race, c->strict ? race : REPORT_WARNING};
}

/* Appends the messages of a module; false, after saying so, where it cannot be read. */
static bool check_module(launcher *l, const char *source, const void *bytes, size_t size,
                         tr_text *out, report_tally *tally, bool *places)
{
    const nvcc_command *c = l->command;
    const kernels_check check = {.s = l->s,
                                 .how = l->how,
                                 .grading_of = grading_of,
                                 .user = c,
                                 .file = source,
                                 .is_configured = true};
    const kernels_input in = {.name = source, .bytes = bytes, .size = size};
    const char *why = kernels_write_apart(&check, &in, out, tally, places);
    if (why)
        unchecked_say(l->s, source, why, c->errors, &l->how, &l->tally);
    return !why;
}

static void say(launcher *l, const char *text, const report_tally *tally)
{
    for (size_t i = 0; i < arrlenu(l->said); i++)
        if (strcmp(l->said[i], text) == 0)
            return;
    arrput(l->said, tr_arena_strdup(l->s->arena, text));
    fputs(text, l->s->err);
    l->tally.warnings += tally->warnings;
    l->tally.errors += tally->errors;
}

/* ---- Section: A compilation beside ---- */

/* Compiles the source once more, to bytecode with lines, for that GPU or (0) for those of the
 * command line, which may name one alone then; its bytes, or NULL. What the compiler says has been
 * said. */
static char *compile_beside(launcher *l, const char *source, unsigned architecture, size_t *size)
{
    const nvcc_command *c = l->command;
    tr_arena *arena = l->s->arena;
    const char *where = getenv("TMPDIR"), *why = NULL;
    char *folder = tr_arena_printf(arena, "%s/tilerace-XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(folder))
        return NULL;
    const char *output = tr_arena_printf(arena, "%s/module.tilebc", folder);
    const char *const ours[] = {"--tilebc", "--tile-only", "-lineinfo", "-o", output, source};
    const char *one = tr_arena_printf(arena, "-arch=sm_%u", architecture);
    const char *const *target = architecture ? &one : c->target;
    const size_t n_target = architecture ? 1 : c->n_target;
    const size_t n = c->n_beside + n_target + TR_COUNT(ours);
    const char **words = TR_NEW_ARRAY(arena, const char *, n);
    memcpy(words, c->beside, c->n_beside * sizeof *words);
    memcpy(words + c->n_beside, target, n_target * sizeof *words);
    memcpy(words + c->n_beside + n_target, ours, sizeof ours);
    const char *const *command = real_command(arena, l->program, n, words);
    char *bytes = NULL;
    if (real_run_quietly(arena, command, &why) == 0)
        bytes = tr_read_file(arena, TR_FILE_CODE, output, size, &why);
    unlink(output);
    rmdir(folder);
    return bytes;
}

/* Counts what is said of kernels: with the lines of a source it may be less, as comments there
 * allow it.
 */
static size_t n_said(const report_tally *tally)
{
    return tally->remarks + tally->warnings + tally->errors - tally->of_comments;
}

/* Checks a module. If there are messages without a line, the source is compiled once more with line
 * numbers. */
static void check_image(launcher *l, const char *source, const bytecode_image *image)
{
    tr_text out = {0}, with_lines = {0};
    report_tally tally = {0}, again = {0};
    bool places;
    size_t size;
    if (!image->bytes) {
        unchecked_say(l->s, source, image->why, l->command->errors, &l->how, &l->tally);
        return;
    }
    bool read = check_module(l, source, image->bytes, image->size, &out, &tally, &places);
    bool lacks_lines = read && n_said(&tally) > 0 && !places;
    char *bytes = lacks_lines ? compile_beside(l, source, image->architecture, &size) : NULL;
    bool better = bytes && check_module(l, source, bytes, size, &with_lines, &again, &places) &&
                  n_said(&again) == n_said(&tally);
    if (better)
        say(l, tr_text_get(&with_lines), &again);
    else if (out.length > 0)
        say(l, tr_text_get(&out), &tally);
    tr_text_free(&out);
    tr_text_free(&with_lines);
}

/* ---- Section: Outputs ---- */

/* Machine code alone, or no output to look into: what would have been in it. A compiler that makes
 * no tile kernels need not know how to. */
static void check_beside(launcher *l, const char *source, unsigned architecture)
{
    size_t size;
    char *bytes = compile_beside(l, source, architecture, &size);
    bytecode_image image = {
        .bytes = (unsigned char *)bytes, .size = size, .architecture = architecture};
    if (bytes)
        check_image(l, source, &image);
    else if (l->command->tiles)
        unchecked_say(l->s, source, "the compiler makes no Tile IR of it alone", l->command->errors,
                      &l->how, &l->tally);
}

static void check_output(launcher *l, const char *output, const char *source)
{
    size_t size;
    const char *why;
    tr_arena *arena = tr_arena_new();
    char *file = tr_read_file(arena, TR_FILE_CODE, output, &size, &why);
    bytecode_image *images =
        file ? bytecode_find_images(arena, (const unsigned char *)file, size) : NULL;
    if (!file)
        unchecked_say(l->s, source, tr_arena_printf(arena, "%s %s", output, why),
                      l->command->errors, &l->how, &l->tally);
    for (size_t i = 0; i < arrlenu(images); i++)
        if (images[i].is_machine_code)
            check_beside(l, source, images[i].architecture);
        else
            check_image(l, source, &images[i]);
    arrfree(images);
    tr_arena_free(arena);
}

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static void check_outputs(launcher *l)
{
    const nvcc_command *c = l->command;
    bool one = c->output || c->making == NVCC_PROGRAM;
    for (size_t i = 0; i < c->n_sources; i++) {
        const char *output = nvcc_output_of(l->s->arena, c, i);
        if (c->making == NVCC_CUBIN || !is_file(output))
            check_beside(l, c->sources[i], 0);
        else if (!one || i == 0)
            check_output(l, output, c->sources[i]);
    }
}

/* A compiler that found an error leaves nothing that a build would take for its output. */
static void remove_outputs(launcher *l)
{
    const nvcc_command *c = l->command;
    for (size_t i = 0; i < c->n_sources; i++) {
        const char *output = nvcc_output_of(l->s->arena, c, i);
        if (is_file(output))
            unlink(output);
    }
}

/* ---- Section: The command ---- */

static int refuse(const session *s, const char *why)
{
    tr_say(s->err, "tilerace-nvcc: error: %s\n", why);
    return 1;
}

/* The contract that is named, or that lies beside the one source. */
static const char *launch_of(tr_arena *arena, const nvcc_command *c)
{
    if (c->launch || c->n_sources != 1)
        return c->launch;
    const char *source = c->sources[0], *dot = strrchr(source, '.');
    const int length = dot && !strchr(dot, '/') ? (int)(dot - source) : (int)strlen(source);
    const char *path = tr_arena_printf(arena, "%.*s.launch.json", length, source);
    return is_file(path) ? path : NULL;
}

static int check(launcher *l)
{
    session *s = l->s;
    const char *why = NULL;
    driver_options options = *s->options;
    options.launch = launch_of(s->arena, l->command);
    options.color = l->command->color;
    s->options = &options;
    if (prepare_session(s) != EXIT_CLEAN)
        return l->command->errors ? 1 : 0;
    l->how = (report_options){.color = session_color(s, s->err)};
    s->solver = smt_find_solver(s->arena, &why);
    if (s->solver && l->command->recording)
        compilers_recorded_open(s, l->command->recording, l->command->errors, &l->how, &l->tally);
    if (s->solver)
        check_outputs(l);
    else
        unchecked_say(s, l->command->sources[0], why, l->command->errors, &l->how, &l->tally);
    arrfree(l->said);
    if (l->tally.errors == 0)
        return 0;
    remove_outputs(l);
    return 1;
}

int command_nvcc(session *s)
{
    nvcc_command command;
    const char *why = NULL;
    if (!nvcc_parse(s->arena, s->options->n_behind, s->options->behind, &command, &why))
        return refuse(s, why);
    const char *const program[] = {command.program ? command.program : "nvcc", NULL};
    int code =
        real_run(s->arena, real_command(s->arena, program, command.n_words, command.words), &why);
    if (why)
        return refuse(s, why);
    launcher l = {.s = s, .command = &command, .program = program};
    bool checks = command.warns && command.making != NVCC_NONE && command.n_sources > 0;
    return code == 0 && checks ? check(&l) : code;
}

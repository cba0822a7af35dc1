#include "builds/job.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "base/real_path.h"
#include "bytecode/bytecode.h"
#include "session/progress.h"

enum {
    DEFAULT_SECONDS = 300,
    DEFAULT_MEMORY_MB = 4096,
    MOST_WORDS = 400, /* of a sentence of a compiler, in bytes */
};

/* ---- Section: What is said ---- */

void build_job_refuse(build_job *j, const char *format, ...)
{
    tr_place place = {.file = j->source->file};
    va_list arguments;
    va_start(arguments, format);
    const char *text = tr_arena_vprintf(j->arena, format, arguments);
    va_end(arguments);
    tr_errors_add(&j->to->errors, &place, "%s", text);
}

const char *build_job_words(const build_job *j, const char *text, size_t length)
{
    char *words = tr_arena_strndup(j->arena, text, length < MOST_WORDS ? length : MOST_WORDS);
    for (char *c = words; *c; c++)
        if (iscntrl((unsigned char)*c))
            *c = ' ';
    return words;
}

/* The line of an error stream that says most: the first with "error" in it, else the last. */
static const char *telling_line(const build_job *j, const char *said)
{
    const char *best = NULL, *last = "";
    size_t best_length = 0, last_length = 0;
    for (const char *at = said; *at;) {
        size_t length = strcspn(at, "\n");
        if (!best && memmem(at, length, "error", 5)) {
            best = at;
            best_length = length;
        }
        if (length > strspn(at, " \t\r")) {
            last = at;
            last_length = length;
        }
        at += length + (at[length] == '\n');
    }
    return best ? build_job_words(j, best, best_length) : build_job_words(j, last, last_length);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int64_t patience_of(const session *s)
{
    return s->options->timeout ? (int64_t)s->options->timeout : (int64_t)DEFAULT_SECONDS * 1000;
}

void build_job_refuse_end(build_job *j, const build_end *end)
{
    const char *name = last_part(j->program);
    const char *said = telling_line(j, end->said);
    const char *colon = *said ? ": " : "";
    j->to->is_refused = !end->why && !end->is_stopped;
    j->to->is_late = end->is_late;
    if (end->why)
        build_job_refuse(j, "is not compiled: %s", end->why);
    else if (end->is_stopped)
        build_job_refuse(j, "is not compiled: the run was interrupted");
    else if (end->is_late)
        build_job_refuse(j, "cannot be compiled: %s did not end within %g s (--timeout)", name,
                         (double)patience_of(j->s) / 1e3);
    else if (end->signal)
        build_job_refuse(j, "cannot be compiled: %s ended by signal %d (%s)%s%s", name, end->signal,
                         strsignal(end->signal), colon, said);
    else
        build_job_refuse(j, "cannot be compiled: %s ended with %d%s%s", name, end->exit_status,
                         colon, said);
}

/* ---- Section: Running a compiler ---- */

bool build_job_begin(build_job *j, const session *s, const build_source *source,
                     const char *program, build_result *to)
{
    const char *where = getenv("TMPDIR");
    *j = (build_job){.s = s, .source = source, .program = program, .to = to, .arena = to->arena};
    char *folder =
        tr_arena_printf(j->arena, "%s/tilerace-build-XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(folder)) {
        build_job_refuse(j, "is not compiled: no folder can be made in %s: %s",
                         where && *where ? where : "/tmp", strerror(errno));
        return false;
    }
    char *real = tr_real_path(folder);
    j->folder = tr_arena_strdup(j->arena, real ? real : folder);
    free(real);
    return true;
}

const char *build_job_absolute(const build_job *j, const char *file)
{
    return file[0] == '/' ? file : tr_arena_printf(j->arena, "%s/%s", j->s->working_folder, file);
}

const char *build_job_path(const build_job *j, const char *name)
{
    return tr_arena_printf(j->arena, "%s/%s", j->folder, name);
}

bool build_job_run(const build_job *j, const char *const *argv, const char *folder,
                   const char *const *variables, bool fenced, build_end *end)
{
    const unsigned long megabytes =
        j->s->options->memory ? j->s->options->memory : DEFAULT_MEMORY_MB;
    const build_command command = {.argv = argv,
                                   .folder = folder,
                                   .variables = variables,
                                   .writable = fenced ? j->folder : NULL,
                                   .scratch = j->folder,
                                   .stop = progress_stop_flag(j->s->progress),
                                   .timeout_ms = patience_of(j->s),
                                   .memory = (uint64_t)megabytes << 20};
    return build_process_run(j->arena, &command, end);
}

const char *const *build_job_variables(const build_job *j)
{
    const char **all = TR_NEW_ARRAY(j->arena, const char *, 8);
    all[0] = tr_arena_printf(j->arena, "TMPDIR=%s", j->folder);
    all[1] = tr_arena_printf(j->arena, "XDG_CACHE_HOME=%s/cache", j->folder);
    all[2] = "PYTHONDONTWRITEBYTECODE=1";
    all[3] = "TILERACE"; /* `import tilerace` starts nothing */
    all[4] = "CUDA_TILE_TESTING_DISABLE_TOKEN_ORDER";
    return all;
}

static void add_module(build_job *j, const char *bytes, size_t size, const char *about)
{
    build_result *to = j->to;
    build_module *more = TR_NEW_ARRAY(j->arena, build_module, to->n + 1);
    if (to->n > 0)
        memcpy(more, to->modules, to->n * sizeof *more);
    to->modules = more;
    to->modules[to->n++] = (build_module){
        .image = {.bytes = (unsigned char *)(uintptr_t)bytes, .size = size},
        .recorded = {.path = j->source->file, .about = about, .source = j->source->file}};
}

bool build_job_take(build_job *j, const char *path, const char *about)
{
    size_t size;
    const char *why;
    const char *bytes = tr_read_file(j->arena, TR_FILE_KERNELS, path, &size, &why);
    if (!bytes || !bytecode_is((const unsigned char *)bytes, size)) {
        build_job_refuse(j, "cannot be compiled: %s",
                         bytes ? "what the compiler made is not Tile IR bytecode" : why);
        return false;
    }
    add_module(j, bytes, size, about);
    return true;
}

void build_job_end(build_job *j)
{
    arrfree(j->kernels);
    build_remove_folder(j->folder);
}

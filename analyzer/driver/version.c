#include "driver/version.h"

#include <errno.h>
#include <string.h>

#include "base/process.h"
#include "dialect/dialect.h"
#include "driver/toolchain.h"
#include "gpu/cuda.h"
#include "processes/confine.h"
#include "solver/find_solver.h"

enum { PATIENCE_MS = 5000, MOST_OUTPUT = 4096 };

/* The first line of what a program prints that holds `word`; or NULL, and *why is NULL unless the
 * program could not be started. */
static const char *line_of(tr_arena *arena, const char *program, const char *word, const char **why)
{
    const char *const words[] = {program, "--version", NULL};
    *why = NULL;
    tr_process *p = tr_process_start(arena, words, why);
    const char *found = NULL, *line;
    size_t length;
    if (p)
        tr_process_close_input(p);
    while (p && !found &&
           tr_process_read_line(p, PATIENCE_MS, MOST_OUTPUT, &line, &length) == TR_PROCESS_OK) {
        if (strstr(line, word))
            found = tr_arena_strdup(arena, line);
    }
    tr_process_free(p);
    return found;
}

static void add(tr_text *text, const char *name, const char *found, const char *why_not)
{
    tr_text_addf(text, "%-9s %s\n", name, found ? found : why_not);
}

static void tell_program(tr_arena *arena, tr_text *text, const char *name, const char *path,
                         const char *word, const char *why_not)
{
    const char *why = NULL;
    const char *line = path ? line_of(arena, path, word, &why) : NULL;
    if (why)
        why_not = tr_arena_printf(arena, "unknown: %s", why);
    else if (path && !line)
        why_not = tr_arena_printf(arena, "%s, which names no version", path);
    add(text, name, line ? tr_arena_printf(arena, "%s (%s)", line, path) : NULL, why_not);
}

static void tell_driver(tr_arena *arena, tr_text *text)
{
    cuda_api api;
    const char *why = NULL;
    int version = 0;
    bool is_there = cuda_open(arena, &api, &why) && api.driver_version(&version) == 0;
    add(text, "driver",
        is_there ? tr_arena_printf(arena, "for CUDA %d.%d", version / 1000, version % 1000 / 10)
                 : NULL,
        "none; programs get a stand-in (exec --dry-run)");
}

static void tell_workers(tr_arena *arena, tr_text *text)
{
    unsigned in_force = 0;
    if (confine_offered(&in_force))
        add(text, "workers", confine_words(in_force), NULL);
    else
        add(text, "workers", NULL,
            errno ? tr_arena_printf(arena, "unknown: cannot start a process: %s", strerror(errno))
                  : "unknown: the process that tried it was ended by a signal");
}

void version_tell(tr_arena *arena, tr_text *text)
{
    tr_text_add(text, "tilerace " TILERACE_VERSION "\n");
    const char *why = NULL;
    const char *solver = smt_find_solver(arena, &why);
    tell_program(arena, text, "solver", solver, "version", why);
    const char *libclang = dialect_libclang(&why);
    add(text, "libclang", libclang, why);
    const char *assembler = toolchain_find_tileiras(arena, &why);
    tell_program(arena, text, "tileiras", assembler, "release",
                 "none; bytecode and checks need none");
    tell_driver(arena, text);
    tell_workers(arena, text);
}

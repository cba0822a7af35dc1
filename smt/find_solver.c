/* Where the solver is. Whether it is young enough shows when it says its name. */
#include "base/process.h"
#include "smt/solver.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef TILERACE_BUILD_DIR
#define TILERACE_BUILD_DIR "build"
#endif

static bool is_executable(const char *path)
{
    return access(path, X_OK) == 0;
}

/* The solver that ci/setup.sh put into the build folder: beside the program, or where it was
 * built. */
static const char *built_solver(tr_arena *arena)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) {
        self[length] = '\0';
        char *slash = strrchr(self, '/');
        static const char *const places[] = {"solver/bin/z3", "../solver/bin/z3",
                                             "../lib/tilerace/z3"};
        for (size_t i = 0; slash && i < TR_COUNT(places); i++) {
            *slash = '\0';
            const char *path = tr_arena_printf(arena, "%s/%s", self, places[i]);
            if (is_executable(path))
                return path;
        }
    }
    const char *path = TILERACE_BUILD_DIR "/solver/bin/z3";
    return is_executable(path) ? path : NULL;
}

/* Why the program of a command line cannot be run, or NULL. */
static const char *why_no_program(tr_arena *arena, const char *command)
{
    const char *program = smt_split_command(arena, command)[0];
    if (!program)
        return "The solver's command line is empty. " SMT_SOLVER_REMEDY;
    errno = ENOENT;
    if (strchr(program, '/') ? is_executable(program)
                             : tr_find_program(arena, program, NULL) != NULL)
        return NULL;
    return tr_arena_printf(arena, "The solver %s cannot be used: %s. " SMT_SOLVER_REMEDY, program,
                           strerror(errno));
}

const char *smt_find_solver(tr_arena *arena, const char **why)
{
    const char *command = getenv("TILERACE_SOLVER");
    if (!command || !*command)
        command = built_solver(arena);
    if (!command)
        command = tr_find_program(arena, "z3", NULL);
    *why = command ? why_no_program(arena, command) : "No solver was found. " SMT_SOLVER_REMEDY;
    return *why ? NULL : command;
}

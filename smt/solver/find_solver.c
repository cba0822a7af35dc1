/* Finds the solver. Whether it is young enough shows when it says its name. */
#include "solver/find_solver.h"

#include "solver/command.h"
#include "solver/process.h"

#include "base/installed.h"
#include "base/process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The solver that came with the program: as a wheel's dependency, as part of a package, and by
 * ci/setup.sh in a build. One of the system's may be too old, so that comes last. */
static const char *installed_solver(tr_arena *arena)
{
    static const char *const places[] = {"lib/tilerace/z3",     "solver/bin/z3", "../solver/bin/z3",
                                         "../../solver/bin/z3", "bin/z3",        NULL};
    const char *path = tr_find_installed(arena, places);
    return path && tr_is_program(path) ? path : NULL;
}

/* Why the program of a command line cannot be run, or NULL. */
static const char *why_no_program(tr_arena *arena, const char *command)
{
    const char *program = smt_split_command(arena, command)[0];
    if (!program)
        return "The solver's command line is empty. " SMT_SOLVER_REMEDY;
    if (tr_program_is_there(arena, program))
        return NULL;
    return tr_arena_printf(arena, "The solver %s cannot be used: %s. " SMT_SOLVER_REMEDY, program,
                           strerror(errno));
}

const char *smt_find_solver(tr_arena *arena, const char **why)
{
    const char *command = getenv("TILERACE_SOLVER");
    if (!command || !*command)
        command = installed_solver(arena);
    if (!command)
        command = tr_find_program(arena, "z3", NULL);
    *why = command ? why_no_program(arena, command) : "No solver was found. " SMT_SOLVER_REMEDY;
    return *why ? NULL : command;
}

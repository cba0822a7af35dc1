/* Where the solver is, and whether it is young enough. */
#include "base/process.h"
#include "smt/solver.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef TILERACE_BUILD_DIR
#define TILERACE_BUILD_DIR "build"
#endif

enum { OLDEST_Z3 = 5, VERSION_LIMIT_MS = 5000 };

#define REMEDY                                                                                     \
    "Install Z3 5 or later (ci/setup.sh does), and put it on PATH or name it in TILERACE_SOLVER "  \
    "or "                                                                                          \
    "--solver."

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

static const char *on_path(tr_arena *arena, const char *program)
{
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t length = strcspn(path, ":");
        const char *candidate =
            tr_arena_printf(arena, "%.*s/%s", (int)length, length > 0 ? path : ".", program);
        if (is_executable(candidate))
            return candidate;
        path += length + (path[length] == ':');
    }
    return NULL;
}

/* What `program --version` says, or NULL. */
static const char *version_text(tr_arena *arena, const char *program, const char **why)
{
    const char *argv[] = {program, "--version", NULL};
    tr_process *process = tr_process_start(arena, argv, why);
    if (!process)
        return NULL;
    tr_process_close_input(process);
    tr_text output = {0};
    tr_process_result result = tr_process_read_all(process, VERSION_LIMIT_MS, 1 << 16, &output);
    const char *text = NULL;
    if (result == TR_PROCESS_OK || result == TR_PROCESS_CLOSED)
        text = tr_arena_strdup(arena, tr_text_get(&output));
    else
        *why = tr_arena_printf(arena, "%s --version does not answer.", program);
    tr_text_free(&output);
    tr_process_free(process);
    return text;
}

/* NULL when it is no Z3 older than ours; a sentence when it is. */
static const char *too_old(tr_arena *arena, const char *command, const char **why)
{
    const char *const *words = smt_split_command(arena, command);
    if (!words[0])
        return "The solver's command line is empty. " REMEDY;
    const char *text = version_text(arena, words[0], why), *mark = "Z3 version ";
    if (!text)
        return tr_arena_printf(arena, "The solver %s cannot be used: %s " REMEDY, words[0], *why);
    const char *at = strstr(text, mark);
    if (at && atoi(at + strlen(mark)) < OLDEST_Z3)
        return tr_arena_printf(
            arena, "The solver %s is Z3 %.*s, too old for proofs over products. " REMEDY, words[0],
            (int)strcspn(at + strlen(mark), " \n"), at + strlen(mark));
    return NULL;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

const char *smt_find_solver(tr_arena *arena, const char **why)
{
    *why = NULL;
    const char *command = getenv("TILERACE_SOLVER"), *built = built_solver(arena);
    if (!command || !*command)
        command = built;
    /* ci/setup.sh has looked at that one: asking again takes longer than many a check. */
    if (command && built && is_same_file(command, built))
        return command;
    if (!command)
        command = on_path(arena, "z3");
    if (!command) {
        *why = "No solver was found. " REMEDY;
        return NULL;
    }
    const char *problem = too_old(arena, command, why);
    *why = problem;
    return problem ? NULL : command;
}

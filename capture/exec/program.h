/* The program that `tilerace exec` runs: unchanged, with the recorder in its environment. */
#ifndef EXEC_PROGRAM_H
#define EXEC_PROGRAM_H

#include <sys/types.h>

#include "base/base.h"

/* The folder that cuTile.jl writes modules into (dumps.h). */
#define DUMPS_VARIABLE "JULIA_CUTILE_DUMP_BYTECODE"

typedef struct program_libraries { /* absolute paths */
    const char *stand_in;          /* folder of the stand-in libcuda.so.1 */
    const char *assembler;         /* folder of the tileiras that tells of modules; or NULL */
    const char *preload;           /* library that goes before a real driver */
    const char *python;            /* folder of the hooks for Python */
    const char *package;           /* folder of the Python package tilerace; or NULL */
} program_libraries;

/* Returns where the libraries are: beside the installed program, or in the build that it is of.
 * NULL and *why where one is missing that is needed. In the arena. */
const program_libraries *program_find_libraries(tr_arena *arena, bool dry_run, const char **why);

/* Does a driver on this machine find a GPU? Asked in a process of its own. */
bool program_has_gpu(void);

typedef struct program_environment {
    const char *socket;
    const program_libraries *libraries;
    bool dry_run;      /* on the stand-in driver */
    const char *dumps; /* the folder that modules are to be written into */
} program_environment;

/* Starts argv[0] (looked up in PATH) with argv, NULL-terminated, in our process group, with our
 * streams. Signals that the caller has blocked are not blocked in it. -1 and *why where it cannot
 * be started. */
pid_t program_start(tr_arena *arena, const char *const *argv, const program_environment *e,
                    const char **why);

#endif

/* Runs a compiler that executes a stranger's code, under a keeper: a process of ours that ends with
 * it.
 *
 * The keeper is a copy of this process, and no child of it, so that whoever kills our children
 * leaves it to do its work. It starts the compiler with limits, waits for its end, for the time
 * limit or for our end, and kills everything that the compiler has started, also what left its
 * group or its session. Where the kernel has Landlock, nothing but one folder can be written or
 * removed, no TCP connection is made, and no process outside gets a signal. */
#ifndef BUILDS_COMPILER_PROCESS_H
#define BUILDS_COMPILER_PROCESS_H

#include <stdatomic.h>

#include "base/base.h"

typedef struct build_command {
    const char *const *argv;      /* NULL-ended; argv[0] is a path */
    const char *folder;           /* where it runs */
    const char *const *variables; /* NULL-ended: NAME=VALUE is set, NAME is taken out */
    const char *writable;         /* the only folder that it may change; NULL: as the user may */
    const char *scratch;          /* removed where our process ends first; or NULL */
    const atomic_bool *stop;      /* ends it once it is set; or NULL */
    int64_t timeout_ms;
    uint64_t memory; /* bytes of each process */
} build_command;

typedef struct build_end {
    const char *why;  /* it could not be started or held, a sentence; else NULL */
    bool is_late;     /* the time limit came first */
    bool is_stopped;  /* `stop` came first */
    int signal;       /* that ended it; 0: none */
    int exit_status;  /* where no signal did */
    const char *said; /* the last of its error stream, as it came */
} build_end;

/* Runs the command to its end. True: it exited with 0. May be called from any thread; results are
 * in the arena. */
bool build_process_run(tr_arena *arena, const build_command *command, build_end *end);

/* Removes a folder of ours with all that is in it. Links are removed, not followed. */
void build_remove_folder(const char *path);

#endif

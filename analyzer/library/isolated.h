/* A check in a process of its own (tilerace_options.isolate).
 *
 * The process is a small program that loads the same library (isolated/main.c). It is started by
 * posix_spawn: a fork of a process with threads may find a lock taken for ever, of malloc or of
 * the loader, that no thread of the child will give back. That program has one thread, and checks
 * each file in a worker as the commands do (checking/workers.h). Question and answer go over its
 * standard streams as characters (base/carried.h); what is read of the answer is looked at as
 * anything from outside is. */
#ifndef LIBRARY_ISOLATED_H
#define LIBRARY_ISOLATED_H

#include "contract/guard_carry.h"
#include "library/library.h"

typedef struct library_question {
    tilerace_options options;
    const char *name;
    const void *bytes; /* of a module; NULL: `name` is a file */
    size_t size;
} library_question;

/* One input of the answer. */
typedef struct library_answered {
    const char *file;
    const char *about; /* what a front end says of its parameters; or NULL */
    bool is_stale;     /* it was recorded of a source that has changed since */
    input_report report;
    guard_carried **guards; /* of each of the report's kernels */
} library_answered;

typedef struct library_answer {
    size_t n_errors;
    tr_error *errors; /* of the question; a place without a file: it is about no file */
    size_t n;
    library_answered *inputs;
    const char *solver; /* NULL: none was asked */
} library_answer;

/* Asks another process. NULL with *why, a sentence in the arena: there is no answer. All but the
 * guards, which the caller gives back, lies in the arena. */
library_answer *library_ask(tr_arena *arena, const library_question *question, const char **why);

#endif

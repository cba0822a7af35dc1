/* Checks run in a process of their own: what ends one, or keeps it from ending, ends no
 * compilation.
 */
#ifndef COMPILERS_APART_H
#define COMPILERS_APART_H

#include "base/base.h"

/* Calls `work` in a child and appends to `out` what it appends there. False, with *why, where the
 * child died, or did not end within TILERACE_TIME_LIMIT seconds (APART_SECONDS where that is not
 * set); nothing is appended then. The child has the signal handling of a fresh program, so that
 * handlers of the process that called, such as a compiler's which remove its outputs, are not run
 * there. */
bool apart_run(tr_arena *arena, void (*work)(void *user, tr_text *out), void *user, tr_text *out,
               const char **why);

#define APART_SECONDS 300

#endif

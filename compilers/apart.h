/* Checks run in a process of their own: what ends one ends no compilation. */
#ifndef COMPILERS_APART_H
#define COMPILERS_APART_H

#include "base/base.h"

/* Calls `work` in a child and appends to `out` what it appends there. False, with *why, where the
 * child died; what it wrote itself is written then. */
bool apart_run(tr_arena *arena, void (*work)(void *user, tr_text *out), void *user, tr_text *out,
               const char **why);

#endif

/* Checks in processes of their own: what crashes, hangs or grows ends one check and nothing else.
 *
 * A child is a copy of this process, so it begins with libclang loaded and nothing parsed. With it
 * die the solvers that it has started. */
#ifndef LSP_CHILD_H
#define LSP_CHILD_H

#include "base/base.h"

typedef struct child child;

/* Calls `work` in a new process; what it writes to `to` is read here. Its standard input is empty,
 * and its standard output is our error stream. NULL and *why. One thread alone may run. */
tr_give child *child_start(tr_arena *arena, void (*work)(void *user, int to), void *user,
                           int64_t patience_ms, const char **why);
/* Kills it where it still runs, with all that it started. */
void child_free(tr_take child *c);

int child_output(const child *c);       /* for poll */
int64_t child_deadline(const child *c); /* when its patience ends, by tr_now_ms */
/* Reads what is there. False: the child has ended; *why then says how, NULL: well. */
bool child_read(child *c, tr_text *out, tr_arena *arena, const char **why);

#endif

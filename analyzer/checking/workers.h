/* Inputs checked in processes of their own, several at once. What ends one, or what has to be
 * ended, costs the kernel that it was at: the report says which and why, the rest of the file is
 * checked by the next one, and all else goes on. */
#ifndef CHECKING_WORKERS_H
#define CHECKING_WORKERS_H

#include "session/session.h"

typedef struct workers_task {
    const session *s;
    size_t n;            /* inputs to check */
    const size_t *files; /* numbers of the inputs, in the order in which they are taken up */
    /* Called for each in the order in which they are done: all parts of its result (checking.h). */
    void (*take)(void *user, size_t file, const tr_text *packed);
    void *user;
} workers_task;

/* Returns when all are done, or the session's progress says to stop: then not all were. Where no
 * process can be made, they are checked one after another in this one, after a warning. To be
 * called on a thread of pool_run, for its stack. */
void workers_run(const workers_task *task);

#endif

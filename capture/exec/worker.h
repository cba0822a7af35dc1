/* The checker's process for one module: reads and checks it, then judges its launches.
 *
 * Frames that come are those of a program (LAUNCH, CONTENTS); those that go are KEY, ENTRIES,
 * CHECKED and then JUDGED for each that came. */
#ifndef EXEC_WORKER_H
#define EXEC_WORKER_H

#include "exec/judge.h"

typedef struct worker_task {
    const void *bytes; /* of the module */
    size_t size;
    const char *names; /* field of MODULE */
    uint32_t number;   /* of the module, for ENTRIES */
    const judge_options *options;
} worker_task;

/* Serves until `fd` is closed by the other side. */
void worker_serve(int fd, const worker_task *task);

#endif

/* Jobs on threads. */
#ifndef PROCESSES_POOL_H
#define PROCESSES_POOL_H

#include <stddef.h>

/* Calls job(user, i) once for every i < n, on at most `workers` threads; returns when all are done.
 * Jobs start in order. Every job runs on a thread with a stack large enough for deeply nested
 * sources, also when there is one worker. */
void pool_run(size_t workers, size_t n, void (*job)(void *user, size_t i), void *user);

/* Processors that this process may use. */
size_t pool_processors(void);

#endif

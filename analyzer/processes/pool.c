#include "processes/pool.h"

#include "base/base.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>

/* Address space, touched only as deep as a source nests; less of it where a limit gives little. */
#define STACK_BYTES ((size_t)256 << 20)
enum { STACKS_IN_LIMIT = 8, LEAST_STACK = 8 << 20 };

static size_t stack_bytes(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur / STACKS_IN_LIMIT >= STACK_BYTES)
        return STACK_BYTES;
    size_t bytes = (size_t)limit.rlim_cur / STACKS_IN_LIMIT / LEAST_STACK * LEAST_STACK;
    return bytes > LEAST_STACK ? bytes : LEAST_STACK;
}

typedef struct pool {
    size_t n;
    atomic_size_t next;
    void (*job)(void *user, size_t i);
    void *user;
} pool;

static void *work(void *argument)
{
    pool *p = argument;
    for (size_t i; (i = atomic_fetch_add(&p->next, 1)) < p->n;)
        p->job(p->user, i);
    return NULL;
}

void pool_run(size_t workers, size_t n, void (*job)(void *user, size_t i), void *user)
{
    pool p = {.n = n, .job = job, .user = user};
    atomic_init(&p.next, 0);
    if (workers > n)
        workers = n;
    if (workers == 0)
        return;
    pthread_t *threads = calloc(workers, sizeof *threads);
    if (!threads)
        tr_no_memory();
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes());
    size_t started = 0;
    while (started < workers && pthread_create(&threads[started], &attributes, work, &p) == 0)
        started++;
    if (started == 0) /* no thread to be had: slower, but the same */
        work(&p);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_attr_destroy(&attributes);
    free(threads);
}

size_t pool_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? (size_t)count : 1;
}

/* A process that does one task after another for its parent, and whose death costs the task that it
 * was at.
 *
 * It is a copy of its parent, so that nothing has to be told to it but the task. It is made before
 * libclang is loaded; of the parent's descriptors it has none, its standard input is empty, and
 * what is printed there comes to the parent. It leads a session, so that its solvers can be found
 * when it is dead. It ends when its parent has ended, however that came: it watches the other end
 * of its line. A core of it is never dumped, and where the machine's memory ends, it goes first. */
#ifndef PROCESSES_WORKER_H
#define PROCESSES_WORKER_H

#include "base/base.h"
#include "processes/confine.h"

typedef struct worker worker;

typedef struct worker_task {
    uint64_t number; /* of the input */
    uint64_t from;   /* the first of its kernels that is to be checked */
} worker_task;

/* Words of a worker to its parent, each with its bytes. */
typedef enum worker_word {
    WORKER_CONFINED, /* what is in force of its confinement; the first that it says */
    WORKER_ROSTER,   /* what is known of all kernels of the input before they are checked */
    WORKER_KERNEL,   /* a kernel is taken up: its number */
    WORKER_STEP,     /* what is done with it */
    WORKER_PART,     /* a part of the result: of a kernel, or all else */
    WORKER_KEEP,     /* an entry for the cache, which is the parent's to write */
    WORKER_DONE,     /* the result is whole; said when `work` returns */
} worker_word;

/* ---- Section: In the worker ---- */

typedef struct worker_line worker_line;

/* It may have so many bytes of data more than it has now, unless its limit is lower. */
void worker_limit_data(uint64_t more);
/* Ends the process where nobody listens. */
void worker_say(const worker_line *line, worker_word word, const void *bytes, size_t length);

/* ---- Section: In the parent ---- */

typedef struct worker_limits {
    uint64_t memory; /* bytes beyond what it begins with, each for it and its solver; 0: no limit */
    const confinement *confined;
} worker_limits;

/* NULL with errno: there is no process to be had. The worker runs on a copy of the calling thread's
 * stack. */
tr_give worker *worker_start(void (*work)(void *user, worker_task task, const worker_line *line),
                             void *user, const worker_limits *limits);
/* Descriptors for poll: the one in which the worker speaks, and the one in which it prints; -1:
 * closed. */
int worker_voice(const worker *w);
int worker_prints(const worker *w);
/* False: it is gone. */
bool worker_give(worker *w, const worker_task *task);
/* Takes in what is there. False: it has ended, or says what no worker says. */
bool worker_listen(worker *w);
/* The next whole message; its bytes are valid until worker_listen. False: there is none. */
bool worker_hears(worker *w, worker_word *word, const char **bytes, size_t *length);

/* Milliseconds of processor time since it was started, with that of all that it has started. */
int64_t worker_worked(const worker *w);

typedef struct worker_end {
    long process;    /* the number that it had */
    int signal;      /* 0: none */
    int exit_status; /* 0: it ended by a signal, or nobody knows how */
    bool no_memory;  /* an allocation failed */
} worker_end;

/* Ends one that has nothing to do; NULL is fine. */
void worker_dismiss(tr_take worker *w);
/* Kills it with what it started, and says how it had ended where it was dead already. */
worker_end worker_stop(tr_take worker *w);

#endif

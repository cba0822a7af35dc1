/* Jobs done by processes that stay: each has its limits, and one that dies costs the job that it
 * was at. A job that can go on is given to another process, which is told where the ones before
 * ended.
 *
 * To be used on a thread of pool_run, for its stack, before libclang is loaded
 * (processes/worker.h). The caller polls: crew_polled, poll, crew_turn. */
#ifndef JUDGE_CREW_H
#define JUDGE_CREW_H

#include <poll.h>

#include "judge/watch.h"
#include "processes/worker.h"

enum { CREW_MOST_JOB = 16 << 20, CREW_MOST_ANSWER = 32 << 20, CREW_MOST_DEATHS = 4 };

typedef struct crew crew;

typedef struct crew_job {
    uint64_t number; /* by which it is known; the caller never uses one twice */
    unsigned kind;
    bool goes_on; /* another process can take it up where one ended */
    size_t length;
    const char *text; /* with a NUL behind it; copied */
} crew_job;

typedef struct crew_tasks { /* in the process that does them */
    void *user;
    /* Appends the answer and returns what is to be said with it. It may die. */
    unsigned (*run)(void *user, const crew_job *job, const judge_watch *watch, tr_text *answer);
    void (*warm)(void *user); /* before the first job; or NULL */
} crew_tasks;

typedef struct crew_ears {
    void *user;
    void (*answered)(void *user, uint64_t number, unsigned said, const char *answer, size_t length);
    /* NULL: nobody listens. */
    void (*at)(void *user, uint64_t number, uint64_t combination, judge_phase phase);
    /* It came to nothing. NULL: no process can be made. */
    void (*died)(void *user, uint64_t number, const judge_death *last);
} crew_ears;

typedef struct crew_limits {
    uint64_t memory; /* bytes for each process, and its solver as much */
    int64_t ms;      /* of processor time for each phase of a job, its solver's among it */
    const confinement *confined; /* outlives the crew */
} crew_limits;

tr_give crew *crew_new(const crew_tasks *tasks, const crew_ears *ears, size_t n,
                       const crew_limits *limits);
/* Ends all processes. */
void crew_free(tr_take crew *c);

/* False: it is longer than CREW_MOST_JOB. */
bool crew_add(crew *c, const crew_job *job);
/* Nothing more is told of it. False: there is no such job. */
bool crew_cancel(crew *c, uint64_t number);
/* Jobs that wait or are being done, and the bytes of those that wait. */
size_t crew_count(const crew *c);
size_t crew_bytes(const crew *c);

/* Starts what can be started; not while the caller holds it back. */
void crew_hand_out(crew *c);
/* Fills at most 2 * n entries for poll; their number. */
size_t crew_polled(const crew *c, struct pollfd *entries);
/* When crew_turn is to be called at the latest, by tr_now_ms; INT64_MAX: when there is news. */
int64_t crew_due(const crew *c);
/* Hears what there is to hear; never waits. */
void crew_turn(crew *c);

#endif

/* A check beside a compiler that shall not wait for it.
 *
 * A program that compiles kernels while it runs waits for its assembler. A check that takes longer
 * is left to itself then: a process of its own, the keeper, goes on with it, keeps its result and
 * ends. Where the compiler is killed, the keeper ends as well. */
#ifndef COMPILERS_LATE_H
#define COMPILERS_LATE_H

#include "base/base.h"

#include <sys/types.h>

typedef struct late_work {
    void (*check)(void *user, tr_text *result);      /* in the keeper */
    void (*tell)(void *user, const tr_text *result); /* in the keeper, where nobody waited for it */
    void *user;
} late_work;

typedef struct late_check {
    pid_t keeper;
    int result;   /* the keeper's result comes from there */
    int control;  /* the keeper is told there what becomes of it */
    tr_text text; /* of the result, as far as it came */
} late_check;

/* Starts the keeper. It has none of our descriptors, so that nobody who reads our output waits for
 * it. False, with *why: no process can be made. One of late_leave, late_take and late_stop ends
 * what it starts. */
bool late_start(tr_arena *arena, const late_work *work, late_check *check, const char **why);

/* Waits for the result for so many milliseconds. False: it is not there. */
bool late_wait(late_check *check, int64_t milliseconds);

/* Leaves the keeper to itself. False where `many` keepers of this user have been left already: a
 * program that compiles many kernels would fill the machine with them. */
bool late_leave(late_check *check, size_t many);

/* Waits for the result and appends it to `result`. False: the keeper died. */
bool late_take(late_check *check, tr_text *result);

/* Ends the keeper with all that it has started: nobody asks for its result. */
void late_stop(late_check *check);

#endif

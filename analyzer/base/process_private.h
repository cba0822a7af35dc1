/* Shared by process.c and process_start.c. */
#ifndef TR_PROCESS_PRIVATE_H
#define TR_PROCESS_PRIVATE_H

#include "base/process.h"

struct tr_process {
    pid_t id;                  /* the child: the program, or the guard that is its parent */
    pid_t program;             /* 0: of a guard's, not known yet */
    int input, output, errors; /* our ends, -1 once closed */
    int watched;   /* of its guard, which ends what it guards when this is closed; -1: none */
    bool is_whole; /* the guard ends all that the program started */
    tr_text out, err;
    size_t taken; /* bytes of `out` already given to the caller */
    bool reaped;
    tr_process_end end;
    char why[160];
};

/* Closes a descriptor that is open, and sets it to -1. */
void tr_process_close_end(int *end);

#endif

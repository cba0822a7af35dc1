/* Reads what the system says of a process: /proc/PID/stat. It needs nothing else of ours, so that
 * the guard has it too (base/guard/main.c). */
#ifndef BASE_PROCESS_STATE_H
#define BASE_PROCESS_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct tr_process_state {
    pid_t id, parent, session;
    char state;    /* 'R', 'S', ...; 'Z' and 'X': it has ended */
    char name[16]; /* the system keeps no more of it */
    /* Clock ticks of processor time, those of children that it has waited for among them. */
    int64_t worked;
} tr_process_state;

/* `process`: its number as it is written in /proc, or "self". False: it is gone. */
bool tr_process_state_read(const char *process, tr_process_state *of);

#endif

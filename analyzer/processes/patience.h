/* How long an answer of a child is waited for.
 *
 * The limit is one of processor time, of the child and of all that it started, so that a busy
 * machine takes no answer away. Once the clock has reached the limit, too, the child is looked at
 * from time to time: it is given up where all these do next to nothing, less than one part in
 * PATIENCE_IDLE of the time; and in any case after PATIENCE_WALL times the limit by the clock. */
#ifndef PROCESSES_PATIENCE_H
#define PROCESSES_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { PATIENCE_WALL = 10, PATIENCE_IDLE = 50, PATIENCE_LOOK_MS = 2000 };

/* All in milliseconds, clocks by tr_now_ms. {0}: no answer is waited for. */
typedef struct patience {
    pid_t child;
    int64_t limit;
    int64_t began, worked_before; /* when it began, and the work until then */
    int64_t looked, worked;       /* the last look, and the work until then; 0: none yet */
    int64_t deadline;             /* when to look next; 0: no answer is waited for */
} patience;

/* An answer of the child, which is not waited for by waitpid() yet, is due from now on. */
patience patience_begin(pid_t child, int64_t limit_ms);
/* Is it time to give the child up? Cheap until the deadline. */
bool patience_is_over(patience *p);

#endif

/* The processes that this one started. */
#ifndef PROCESSES_CHILDREN_H
#define PROCESSES_CHILDREN_H

#include <stdint.h>
#include <sys/types.h>

/* Kills all children with what they started: each leads a group of its own (base/process.h), and a
 * worker a session (processes/worker.h). */
void children_kill(void);
/* Kills everything in the session of that leader, which must not have been waited for: until then
 * its number is nobody else's. */
void children_kill_session(pid_t leader);
/* Milliseconds of processor time of that child and of those children of its own that it has waited
 * for; 0: nobody knows. A read of one file. */
int64_t children_worked(pid_t child);
/* Returns the same for all processes in the session of that leader. Looks at every process that
 * there is. */
int64_t children_worked_in_session(pid_t leader);
/* Returns the same for that child and all that descend from it, in whatever session they are. Looks
 * at every process that there is. */
int64_t children_worked_below(pid_t child);

#endif

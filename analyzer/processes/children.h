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
/* Milliseconds of processor time of that child and of all that descend from it, in whatever session
 * they are, with those that one of them has waited for; 0: nobody knows. Some files are read for
 * each; where the system keeps no lists of children, all processes are looked at. */
int64_t children_worked(pid_t child);
/* The same, by looking at all processes. Shown for tests. */
int64_t children_worked_by_scan(pid_t child);

#endif

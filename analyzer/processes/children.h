/* The processes that this one started. */
#ifndef PROCESSES_CHILDREN_H
#define PROCESSES_CHILDREN_H

#include <sys/types.h>

/* Kills all children with what they started: each leads a group of its own (base/process.h), and a
 * worker a session (processes/worker.h). */
void children_kill(void);
/* Kills everything in the session of that leader, which must not have been waited for: until then
 * its number is nobody else's. */
void children_kill_session(pid_t leader);

#endif

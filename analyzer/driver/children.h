/* The processes that this one started. */
#ifndef DRIVER_CHILDREN_H
#define DRIVER_CHILDREN_H

/* Kills all children with what they started: each leads a group of its own (base/process.h). */
void children_kill(void);

#endif

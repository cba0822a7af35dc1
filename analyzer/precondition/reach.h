/* How far the kernel goes in its buffers. */
#ifndef PRECONDITION_REACH_H
#define PRECONDITION_REACH_H

#include "question/checker.h"

/* How far the kernel goes in its buffers, as preconditions on their bytes; in the arena.
 * Returns how many. */
size_t reach_find(checker *k, precondition **out);

#endif

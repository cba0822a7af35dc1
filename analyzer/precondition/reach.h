/* How far the kernel goes in its buffers. */
#ifndef PRECONDITION_REACH_H
#define PRECONDITION_REACH_H

#include "question/checker.h"

/* Finds how far the kernel goes in its buffers, as preconditions on their bytes; *out is in the
 * arena. Returns their number. */
size_t reach_find(checker *k, precondition **out);

#endif

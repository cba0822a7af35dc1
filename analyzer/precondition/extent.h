/* Sizes of buffers that nobody states. */
#ifndef PRECONDITION_EXTENT_H
#define PRECONDITION_EXTENT_H

#include "question/checker.h"

/* Asks for the size of each buffer whose extent nobody states, and which the kernel's own masks do
 * not bound. */
void require_extents(checker *k);

#endif

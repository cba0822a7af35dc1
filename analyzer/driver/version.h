/* The output of tilerace --version. */
#ifndef DRIVER_VERSION_H
#define DRIVER_VERSION_H

#include "base/base.h"

/* The program's own version, and what it works with, as it would find it: a line each. Starts the
 * solver and the assembler, which say their versions; loads libclang and the CUDA driver's
 * library, without initialising that. */
void version_tell(tr_arena *arena, tr_text *text);

#endif

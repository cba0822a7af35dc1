/* A program on the driver API that launches one kernel: what `tilerace selftest` has `exec` run. */
#ifndef SELFTEST_PROGRAM_H
#define SELFTEST_PROGRAM_H

#include "base/base.h"

/* A value "FILE:ENTRY" of this variable makes `tilerace selftest` that program. */
#define SELFTEST_PROGRAM_VARIABLE "TILERACE_SELFTEST_PROGRAM"

/* Exit codes of the program; *why is a sentence, in the arena's memory, where it is not
 * SELFTEST_LAUNCHED. */
enum { SELFTEST_LAUNCHED = 0, SELFTEST_CANNOT_LAUNCH = 77, SELFTEST_NO_MODULE = 78 };

int selftest_program(tr_arena *arena, const char *file_and_entry, const char **why);

#endif

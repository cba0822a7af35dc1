/* A contract for kernels that state none: what the checker requires of a launch. */
#ifndef TESTS_SCHEDULES_REQUIRED_H
#define TESTS_SCHEDULES_REQUIRED_H

#include "inputs/load.h"
#include "session/session.h"

/* As load_input, each kernel under what `tilerace contract` writes of it. */
void required_load(session *s, const char *file, loaded *input);

#endif

/* The course of `check`, for commands that check as it does. */
#ifndef DRIVER_CHECK_COMMAND_H
#define DRIVER_CHECK_COMMAND_H

#include "session/session.h"

/* Checks all files that `find` finds, with the options of `check`, and writes the report.
 * s->configs is there while it does. */
int driver_check_files(session *s, void (*find)(session *s, size_t *n_wrong, void *user),
                       void *user);

#endif

/* The beginning and the end of every command. */
#ifndef DRIVER_PREPARE_H
#define DRIVER_PREPARE_H

#include "session/session.h"

/* Applies the options that every command that checks has; EXIT_BAD after a complaint. Whatever it
 * returns, prepare_release comes after it. */
int prepare_session(session *s);
void prepare_release(session *s);

#endif

/* TILERACE in the environment: what programs that have no option for us ask of findings. */
#ifndef SESSION_ASKED_H
#define SESSION_ASKED_H

#include "session/session.h"

typedef enum asked {
    ASKED_NOTHING, /* it is not set, or empty */
    ASKED_OFF,
    ASKED_WARN,
    ASKED_ERROR,
    ASKED_INTERPRET, /* errors, and launches are executed on the interpreter */
    ASKED_STRICT,    /* errors, also of what depends on a promise of the caller */
} asked;

/* EXIT_BAD after a complaint: it is set to something else. */
int asked_read(session *s, asked *is);

#endif

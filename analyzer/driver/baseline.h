/* check --baseline FILE: the findings that FILE lists are hidden. */
#ifndef DRIVER_BASELINE_H
#define DRIVER_BASELINE_H

#include "session/session.h"

/* EXIT_BAD after a complaint where the options do not fit together. */
int driver_check_baseline_options(session *s);
/* Hides what the baseline lists, says which of its entries match nothing any more and, with
 * --write-baseline, writes it anew. EXIT_BAD after a complaint: nothing is hidden then. To be
 * called when comments and selection have had their say. */
int driver_apply_baseline(session *s, full_report *report);

#endif

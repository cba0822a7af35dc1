/* Comments in the sources of kernels that were seen, which allow nothing since they are wrong
 * (TR903). That one allows what is not there (TR902) is not said: what a program launches is seldom
 * all that a source holds. */
#ifndef EXEC_REMARKS_H
#define EXEC_REMARKS_H

#include "exec/watch.h"

/* Appends a line for each, of sources that front ends name. Returns how many there are. `folder`:
 * names below it are shown from there on; or NULL. */
size_t remarks_write(tr_text *out, const watch *w, const char *folder);

#endif

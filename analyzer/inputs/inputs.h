/* The inputs of check and hook: files of the command line, of folders and of recordings, each with
 * its settings. */
#ifndef INPUTS_INPUTS_H
#define INPUTS_INPUTS_H

#include "session/session.h"

typedef struct inputs inputs;

/* They fill s->files, s->recorded, s->settings and s->skipped. */
tr_give inputs *inputs_open(session *s);
/* Returns how many files could not be looked at, as the error stream says. */
size_t inputs_close(tr_take inputs *in);
void inputs_release(session *s); /* empties these lists */

/* A word of the command line: a recording, a folder, a source or a module. */
void inputs_add_named(inputs *in, const char *word);
/* Standard input, under that name. */
void inputs_add_standard(inputs *in, const char *name);
/* Adds a file that has changed, unless it is a C source without kernels. */
void inputs_add_changed(inputs *in, const char *file);
/* All that a recording has, but for what was made of an earlier source where there is something
 * that was made of the one that is there now. */
void inputs_add_recording(inputs *in, const char *folder);
/* Adds what the recording beside the file has of it. A file without one is skipped; `say` reports
 * that. */
void inputs_add_recorded(inputs *in, const char *file, bool say);
/* Is the file, or a folder above it, excluded? Then it is skipped. */
bool inputs_excludes(inputs *in, const char *file);

#endif

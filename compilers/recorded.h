/* A recording as what is known of the launches: `--race-launch=FOLDER`. */
#ifndef COMPILERS_RECORDED_H
#define COMPILERS_RECORDED_H

#include "compilers/kernels.h"

/* Is the value of --race-launch= a folder, and so a recording or a mistake? Else it is a launch
 * contract. */
bool compilers_recorded_is_folder(const char *path);
/* Has the session's kernels checked for the launches of the recording, too. What is wrong with it
 * is said, a warning each or an error, and then it is not used. */
void compilers_recorded_open(session *s, const char *folder, bool is_error,
                             const report_options *how, report_tally *tally);

/* Checks a kernel for every launch that its contract allows, and for those that a recording has of
 * it, each by itself; appends what is to be said. */
void compilers_recorded_write(const kernels_check *c, loaded *input, const loaded_kernel *kernel,
                              const loaded_seen *seen, const report_grading *grading, tr_text *out,
                              report_tally *tally);

#endif

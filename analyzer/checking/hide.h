/* Hides and grades findings by a configuration and the command line. No verdict changes by it. */
#ifndef CHECKING_HIDE_H
#define CHECKING_HIDE_H

#include "settings/configs.h"

/* Hides findings that are not selected, sets levels, and takes out notes that nobody asked for. */
void hide_findings(tr_arena *arena, const settings *st, input_report *input);

/* Takes out what is said of comments and is not selected, and counts it. Once for each input, after
 * report_comments_judge; the arena is that of the run. */
void hide_remarks(tr_arena *arena, const settings *st, input_report *input);

#endif

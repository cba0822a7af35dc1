/* Files that repeat a contradiction between runs and checker. */
#ifndef RUN_REPRO_H
#define RUN_REPRO_H

#include "run/report.h"

/* Writes a folder with all that repeats the contradiction, and names it in the report. False after
 * a complaint. */
bool run_keep_contradiction(const run_target *target, run_report *report);

#endif

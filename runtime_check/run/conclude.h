/* The meaning of runs beside the verdict of the checker. */
#ifndef RUN_CONCLUDE_H
#define RUN_CONCLUDE_H

#include "run/report.h"

/* Concludes from the runs and their races beside the checker's verdict: words, and the
 * contradiction between the two, if there is one. */
void run_conclude(const run_target *target, run_report *report);
/* The exit code that the report asks for. */
int run_exit_code(const run_report *report);

#endif

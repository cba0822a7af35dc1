/* The printed output of kernels. */
#ifndef RUN_PRINTED_H
#define RUN_PRINTED_H

#include "interp/interp.h"
#include "run/report.h"

struct cJSON;
/* Collects the printed output of an execution that kept it (interp_limits.prints), into the report.
 */
void run_collect_printed(tr_arena *arena, const interp_run *run, run_report *report);
/* Onto the error stream, the first lines of it. */
void run_say_printed(const session *s, const run_report *report);
/* Returns the prints as an array of the run schema. */
struct cJSON *run_printed_json(const run_report *report);

#endif

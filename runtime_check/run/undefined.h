/* Values that are not defined, and what becomes of them. */
#ifndef RUN_UNDEFINED_H
#define RUN_UNDEFINED_H

#include "interp/interp.h"
#include "run/report.h"

struct cJSON;
/* Adds to the report the undefined values of this execution that buffers hold at its end, or that
 * ended it: each pair of an operation and an origin once. */
void run_collect_undefined(const run_target *target, const concrete_launch *launch,
                           const interp_run *run, const char *seen_by, run_report *report);
/* Like run_collect_undefined(), for one run of the interpreter on a launch that a GPU runs, where
 * the plan has memory that begins undefined. */
void run_judge_undefined(const run_target *target, const gpu_plan *plan, run_report *report);
/* Like run_judge_undefined(), onto the error stream: the machine that runs a bundle has no
 * interpreter. */
void run_note_undefined(const run_target *target, const gpu_plan *plan);
/* Is the execution at its end since it depends on such a value? */
bool run_ends_by_undefined(const interp_run *run);
/* Concludes from the report's list of undefined values. */
void run_conclude_undefined(tr_arena *arena, run_report *report);
/* The report's list as lines, and as an array of the run schema. */
void run_undefined_text(tr_text *out, const run_report *report);
struct cJSON *run_undefined_json(const run_report *report);

#endif

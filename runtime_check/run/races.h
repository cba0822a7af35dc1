/* Races of the runs. */
#ifndef RUN_RACES_H
#define RUN_RACES_H

#include "interp/interp.h"
#include "run/report.h"

/* The races of this execution, by its happens-before, into the report: each pair of ops once. */
void run_collect_races(const run_target *target, const concrete_launch *launch,
                       const interp_run *run, const char *seen_by, run_report *report);
/* Runs the plan's launch on the interpreter and looks for races: what a GPU shows is judged by
 * that. */
void run_judge(const run_target *target, const gpu_plan *plan, run_report *report);
/* Returns the rule that the pair breaks in that run. */
rule_id run_race_rule(const interp_run *run, const interp_race *race);
/* "tile block (0, 0, 0) stores y[0] ..."; in the arena. */
const char *run_race_words(tr_arena *arena, const run_race *race);

#endif

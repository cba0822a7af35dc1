/* A race as two schedules of a small launch. */
#ifndef RUN_SCHEDULES_H
#define RUN_SCHEDULES_H

#include "run/report.h"
#include "run/witness.h"

/* Two schedules that end differently, or the word that no schedule of a small launch does, into the
 * report: first in the witnesses' launches, aimed at their accesses. */
void run_show_schedules(const run_target *target, size_t n_witnesses, const run_witness *witnesses,
                        run_report *report);

#endif

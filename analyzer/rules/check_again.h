/* Further checks of a kernel after its first. */
#ifndef RULES_CHECK_AGAIN_H
#define RULES_CHECK_AGAIN_H

#include "rules/check_once.h"

void outcome_free(check_outcome *outcome);
/* Such a check takes no more than the proof did, so that no kernel waits for it longer. `proof`:
 * steps that it took; `most`: no more than these. */
rules_options check_short_options(const check_task *task, smt_steps proof, smt_steps most);
/* Is it a race that the report shows? The example of a conditional report races, too: in launches
 * that break a precondition of its own. */
bool check_shows_race(const kernel_report *r, const finding *f);
/* No error besides races is found: a launch that is undefined besides excuses its race. */
bool check_is_defined(const kernel_report *r);
/* The verdict is a race, of launches without errors besides. */
bool check_races_defined(const kernel_report *r);
/* `one` is proved with the precondition, its number `which` or one more, and `many` is of launches
 * that break it: races of those become its examples, and `one` conditional. */
void check_show_others(const check_task *task, const contract *c, precondition what, size_t which,
                       kernel_report *one, const kernel_report *many);
/* `one` was proved in `proof` steps; `outcome` says which values it takes not to wrap. Gives it
 * back, conditional where launches that wrap race, without these preconditions where nothing hangs
 * on them; or those races. */
kernel_report *check_wraps(const check_task *task, const contract *c, const check_outcome *outcome,
                           kernel_report *one, smt_steps proof);

#endif

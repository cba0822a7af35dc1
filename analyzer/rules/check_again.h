/* Further checks of a kernel after its first. */
#ifndef RULES_CHECK_AGAIN_H
#define RULES_CHECK_AGAIN_H

#include "rules/check_once.h"

void outcome_free(check_outcome *outcome);
/* The options of a further check, which takes no more steps than the proof did, so that no kernel
 * waits long for it. `proof`: the steps that the proof took; `most`: the most steps that it may
 * take. */
rules_options check_short_options(const check_task *task, smt_steps proof, smt_steps most);
/* Does the report show the finding as a race? The example of a conditional report counts: it races
 * in launches that break a precondition of its own. */
bool check_shows_race(const kernel_report *r, const finding *f);
/* Is no error found besides races? A launch that is also undefined excuses its race. */
bool check_is_defined(const kernel_report *r);
/* Is the verdict a race, of launches without other errors? */
bool check_races_defined(const kernel_report *r);
/* Where `many`, a report on launches that break the precondition `what`, shows races, makes them
 * examples of that precondition in `one`, and `one` conditional. `one` is proved with the
 * precondition, as its number `which` or one more. */
void check_show_others(const check_task *task, const contract *c, precondition what, size_t which,
                       kernel_report *one, const kernel_report *many);
/* Checks `one` again with values that wrap. It was proved in `proof` steps; `outcome` says which
 * values it takes not to wrap. Returns `one`, conditional where launches that wrap race, and
 * without these preconditions where nothing depends on them; or a report of those races. */
kernel_report *check_wraps(const check_task *task, const contract *c, const check_outcome *outcome,
                           kernel_report *one, smt_steps proof);

#endif

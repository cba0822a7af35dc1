/* Shows how far a long run has come, and ends it on a signal.
 *
 * A run of `check`, `scan` or `hook` has one `progress`. It takes SIGINT and SIGTERM for the whole
 * process, on a thread of its own, and draws a line on standard error where that is a terminal,
 * from half a second on. The line is gone before anything else is written.
 *
 * How workers report. Whoever works on file number i calls, from any thread:
 *
 *     progress_begin_file(p, i, name);         the file is being read
 *     progress_kernel(p, i, kernel);           a kernel of it is taken up
 *     progress_phase(p, i, PROGRESS_PROVING);  what is done with it; rules_options.watch says when
 *     progress_end_file(p, i);                 there is a result
 *
 * A worker that is another process lets its parent make these calls when it hears of them. All of
 * them may be called with p NULL, which is no run at all; texts are copied.
 *
 * How a run is interrupted. progress_run() returns false when a signal came first. The workers are
 * then still running: they are asked to stop by the flag of progress_stop_flag(), which budgets
 * look at (tr_budget.stop), and by their solvers, which are ended. What was not finished by then
 * (progress_is_done) has no result. The caller writes what it has and calls progress_quit(), which
 * does not wait for workers, but ends the process with all its children. A second signal does that
 * at once. */
#ifndef SESSION_PROGRESS_H
#define SESSION_PROGRESS_H

#include <stdatomic.h>
#include <stdio.h>

#include "base/base.h"

typedef struct progress progress;

typedef enum progress_step {
#define PROGRESS_STEP(id, words) PROGRESS_##id,
#include "session/progress_steps.def"
    PROGRESS_STEP_COUNT,
} progress_step;

/* Called before the first thread is started: from now on the signals are taken. `shown`: where
 * `err` is a terminal that can move its cursor; `told`: a line is written for each file that is
 * done. */
tr_give progress *progress_start(FILE *err, bool shown, bool told);
/* Ends the display of a run that came to its end. Signals do again what they did before. */
void progress_stop(tr_take progress *p);

/* Says whether the run looks at progress_stop_flag from here on: then a first signal does not end
 * the process. */
void progress_heed(progress *p, bool heeds);

/* Runs work(user), which works on n files, and returns when it is done: true. False: a signal came,
 * and work(user) is still running. */
bool progress_run(progress *p, size_t n, void (*work)(void *user), void *user);
bool progress_is_done(const progress *p, size_t file);
/* Ends a run that was interrupted: never returns. */
__attribute__((noreturn)) void progress_quit(progress *p);
/* True once a signal came; for tr_budget. NULL for p NULL. */
const atomic_bool *progress_stop_flag(const progress *p);

void progress_begin_file(progress *p, size_t file, const char *name);
void progress_kernel(progress *p, size_t file, const char *kernel);
void progress_phase(progress *p, size_t file, progress_step step);
void progress_end_file(progress *p, size_t file);

#endif

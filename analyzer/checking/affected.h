/* check --diff-base REV: which kernels the change since a revision can affect. All others are left
 * out of the report, which counts them.
 *
 * A kernel is not affected where everything that was looked at to read its input is as it was at
 * the revision: files, also those that were looked for and are absent, its configuration, launch
 * contracts, compile commands. Where tracked files on the way have other contents and nothing else
 * differs, the input is read once more with the contents of the revision, and the kernels that are
 * the same with the same contract are not affected. Whatever is in doubt is affected. */
#ifndef CHECKING_AFFECTED_H
#define CHECKING_AFFECTED_H

#include "checking/checking.h"
#include "session/session.h"

/* Opens the comparison with the revision of --diff-base. NULL, with *why, a sentence: there is
 * none. Lives in the session's arena but for what affected_close releases. */
tr_give affected *affected_open(session *s, const char **why);
void affected_close(tr_take affected *a);
/* The path of the git that is asked; NULL: there is no revision. */
const char *affected_git(const affected *a);

/* Works as checking_run does, and also uses what is kept of earlier runs. With s->affected: of an
 * input of which no kernel is affected, it finds out the names of its kernels and nothing else. */
void affected_run(const session *s, size_t number, size_t from, const checking_told *told,
                  tr_text *packed);
/* Takes the kernels that are left out from the report of an input that was checked. */
void affected_take_out(input_report *report);

#endif

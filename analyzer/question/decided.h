/* Counts in the report how each obligation was decided. */
#ifndef QUESTION_DECIDED_H
#define QUESTION_DECIDED_H

#include "question/checker.h"

/* Counts the obligation as proved. */
void count_proved(checker *k);
/* Counts n obligations as proved together, by the answers that were used since solver_window(). */
void count_proved_together(checker *k, size_t n);
/* Counts the obligation as refuted. */
void count_refuted(checker *k);
/* Counts an obligation that stays open: the verdict is unknown, with this reason unless it has one
 * already.
 */
void count_unknown(checker *k, reason_kind kind, const tr_place *place, const char *format, ...)
    TR_PRINTF(4, 5);
/* Counts an obligation that the answer left open. The reason is the answer's, or a failure of the
 * solver while the obligation was being decided, if that is graver. */
void count_unknown_answer(checker *k, const smt_answer *answer, const tr_place *place,
                          const char *what);
/* Counts an obligation for which a search for a launch found none. Where the solver has failed
 * since the check began, its failure is the reason. */
void count_unknown_search(checker *k, reason_kind kind, const tr_place *place, const char *format,
                          ...) TR_PRINTF(4, 5);
/* Has the solver failed since solver_window()? */
bool solver_has_failed(const checker *k);
/* Begins an obligation: questions from now on are asked for it. Counting an obligation begins the
 * next one. */
void solver_window(checker *k);
/* Has an answer of the solver been used since solver_window()? */
bool solver_was_needed(const checker *k);
/* Notes in the report whether the verdict rests on the solver. Where the solver contradicts itself,
 * every verdict but a race becomes unknown.
 */
void decided_conclude(const smt_prover *prover, size_t leaned_before, kernel_report *r);

#endif

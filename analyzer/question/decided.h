/* Counts in the report how each obligation was decided. */
#ifndef QUESTION_DECIDED_H
#define QUESTION_DECIDED_H

#include "question/checker.h"

void count_proved(checker *k);
/* So many at once, by the answers that were used since the window began. */
void count_proved_together(checker *k, size_t n);
void count_refuted(checker *k);
/* An obligation stays open: the verdict is unknown, with this reason unless there is one already.
 */
void count_unknown(checker *k, reason_kind kind, const tr_place *place, const char *format, ...)
    TR_PRINTF(4, 5);
/* The answer left it open, or a failure of the solver while it was being decided, if that is
 * graver. */
void count_unknown_answer(checker *k, const smt_answer *answer, const tr_place *place,
                          const char *what);
/* A search for a launch found none. Where the solver has failed, that is why. */
void count_unknown_search(checker *k, reason_kind kind, const tr_place *place, const char *format,
                          ...) TR_PRINTF(4, 5);
/* Has the solver failed while this was being decided? */
bool solver_has_failed(const checker *k);
/* Begins an obligation: what is asked from now on is asked for it. Counting it does so, too. */
void solver_window(checker *k);
/* Has an answer of the solver been used since? */
bool solver_was_needed(const checker *k);
/* Whether the verdict rests on the solver; none that is proved does on one that contradicts itself.
 */
void decided_conclude(const smt_prover *prover, size_t leaned_before, kernel_report *r);

#endif

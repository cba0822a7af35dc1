/* Undefined behaviour that is no race. */
#ifndef RULES_RULE_ASSUME_H
#define RULES_RULE_ASSUME_H

#include "question/checker.h"

/* Makes it a precondition, in words, that the hazard's op is defined. `kept`: proofs may use it.
 * `format` takes the words of the term. */
void rule_require_defined_op(checker *k, precondition_kind kind, const ix_hazard *h, bool kept,
                             const char *format, smt_t named);
/* Called when all undefined behaviour has been decided. Where some of it stays open, the questions
 * that follow no longer rest on divisors, steps and assumes. */
void doubt_undefined(checker *k);

#endif

/* Undefined behaviour that is no race. */
#ifndef RULES_RULE_ASSUME_H
#define RULES_RULE_ASSUME_H

#include "question/checker.h"

/* Makes it a precondition, in words, that the hazard's op is defined. `kept`: proofs may use it.
 * `format` takes the words of the term. */
void rule_require_defined_op(checker *k, precondition_kind kind, const ix_hazard *h, bool kept,
                             const char *format, smt_t named);
/* To be called when all undefined behaviour has been decided. Where some of it stays open, later
 * questions no longer take for granted that divisors, steps and assumes are as they must be. */
void doubt_undefined(checker *k);

#endif

/* Preconditions of the verdict. */
#ifndef PRECONDITION_ADDED_H
#define PRECONDITION_ADDED_H

#include "question/checker.h"

/* Adds the precondition to those of the verdict. `fact`: what it says of the launch, which every
 * later question may use; NULL: that is known otherwise (contents, defaults). */
void require_add(checker *k, precondition what, smt_t fact);
/* Notes that the obligation being decided also uses the precondition, as one of that class. */
void require_use(checker *k, required *r, precondition_class class_);
/* Adds a precondition that has no formal statement. `fails`: when an event breaks it. */
void require_add_words(checker *k, precondition_kind kind, smt_t fails, const char *format, ...)
    TR_PRINTF(4, 5);
/* Like require_add_words(), for a value that the op computes or reads; `format` has a %s for what
 * it is called. */
void require_add_value(checker *k, precondition_kind kind, smt_t fails, const char *format,
                       const ir_op *op, smt_t value);
/* Adds what answers have rested on since the last call, as preconditions and as choices of the
 * model.
 */
void require_basis(checker *k);

#endif

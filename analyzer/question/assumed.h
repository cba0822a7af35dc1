/* Facts about a launch beyond the contract that the check assumes. */
#ifndef QUESTION_ASSUMED_H
#define QUESTION_ASSUMED_H

#include "question/checker.h"

/* Adds the precondition to those of the verdict. `fact`: what it says of the launch, which every
 * later question may use; NULL: that is known otherwise (contents, defaults). */
void require_add(checker *k, precondition what, smt_t fact);
/* What is being decided uses the precondition too, as one of that class. */
void require_use(checker *k, required *r, precondition_class class_);
/* One that has no formal statement; `fails`: when an event breaks it. */
void require_add_words(checker *k, precondition_kind kind, smt_t fails, const char *format, ...)
    TR_PRINTF(4, 5);
/* Like require_add_words(), for a value that the op computes or reads; `format` has a %s for what
 * it is called. */
void require_add_value(checker *k, precondition_kind kind, smt_t fails, const char *format,
                       const ir_op *op, smt_t value);
/* Every later question may use this, which no precondition states. */
void assume_given(checker *k, smt_t fact);
/* Does every launch break it, or every one with two blocks on an axis that it mentions? `fails`:
 * when an event breaks it. Such a precondition would prove everything. */
bool require_keeps_nothing_open(checker *k, smt_t fails);

/* Every question from now on assumes that the contents lie in the range, too. */
void assume_range(checker *k, contents_range range);
/* The same in place of what was assumed of that argument first. */
void assume_one_range(checker *k, contents_range range);
/* No range of these arguments is assumed any more; bits, of arguments from 64 on none is. */
void assume_no_range(checker *k, uint64_t args);
/* Every question from now on assumes that the tuples differ, too; and none of those of `arg`. */
void assume_tuple(checker *k, contents_tuple tuple);
void assume_no_tuple(checker *k, int arg);

#endif

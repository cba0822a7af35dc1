/* Findings: places, texts and order. */
#ifndef RULES_ADD_FINDING_H
#define RULES_ADD_FINDING_H

#include "question/checker.h"

/* A finding about two accesses, which may be one op: it has two places, but for RULE_SELF_OVERLAP,
 * whose two elements are of one execution. */
finding *finding_add(checker *k, rule_id rule, confidence_kind confidence, const ix_access *a,
                     const ix_access *b, witness *w, const char *format, ...) TR_PRINTF(7, 8);
bool finding_exists(const checker *k, rule_id rule, const ir_op *a, const ir_op *b);
/* A finding with one place. */
finding *finding_add_op(checker *k, rule_id rule, confidence_kind confidence, const ir_op *op,
                        witness *w, const char *format, ...) TR_PRINTF(6, 7);
/* Turns a race into the example of a conditional verdict: a warning that names the race, and the
 * precondition (number `which`, in words) that excludes it. */
void finding_make_example(tr_arena *arena, finding *f, size_t which,
                          const char *precondition_words);
/* Adds what can be done, in words. */
void finding_add_fix(tr_arena *arena, finding *f, const char *text);
/* A precondition as reports show it. */
require finding_requires_printed(smt_ctx *ctx, const contract *c, const precondition *what);
void finding_finish(checker *k);

#endif

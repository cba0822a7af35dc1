/* Notes: findings that are no race but worth knowing (--notes). They touch neither the verdict nor
 * what it rests on. */
#ifndef RULES_NOTES_H
#define RULES_NOTES_H

#include "question/checker.h"

/* rule_notes_tokens.c, TR027: notes tokens taken by hand that no conflict needs, in a race-free
 * kernel.
 */
void notes_tokens(checker *k);
/* rule_notes_orders.c, TR026: notes orders and scopes that are stronger than the proof needs, in a
 * race-free kernel whose blocks synchronise. */
void notes_orders(checker *k);
/* rule_in_block.c: when is the event of `first` in copy `copy` token-before the event of `second`
 * in the other copy of the same block? */
smt_t in_block_ordered(checker *k, const model_tokens *tokens, const ix_access *first, int copy,
                       const ix_access *second);
/* When does no token order two executions of the ops (of one op: in different iterations)? */
smt_t in_block_unordered(checker *k, const model_tokens *tokens, const ix_access *a,
                         const ix_access *b);

#endif

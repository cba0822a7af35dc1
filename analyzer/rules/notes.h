/* Notes: findings that are no race but worth knowing (--notes). They touch neither the verdict nor
 * what it rests on. */
#ifndef RULES_NOTES_H
#define RULES_NOTES_H

#include "question/checker.h"

/* rule_notes_tokens.c, TR027: tokens taken by hand that no conflict needs. Of a race-free kernel.
 */
void notes_tokens(checker *k);
/* rule_notes_orders.c, TR026: orders and scopes that are stronger than the proof needs, where
 * blocks do synchronise. Of a race-free kernel. */
void notes_orders(checker *k);
/* rule_in_block.c: when `first`, as that copy of two in one block has it, is token-before `second`,
 * as the other has it. */
smt_t in_block_ordered(checker *k, const model_tokens *tokens, const ix_access *first, int copy,
                       const ix_access *second);
/* Two executions of the ops (of one op: in different iterations) that no token orders. */
smt_t in_block_unordered(checker *k, const model_tokens *tokens, const ix_access *a,
                         const ix_access *b);

#endif

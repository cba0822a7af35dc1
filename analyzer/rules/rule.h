/* The rules, one file each; check_once.c calls them. */
#ifndef RULES_RULE_H
#define RULES_RULE_H

#include "question/checker.h"

/* Asks again about arithmetic that may wrap by definition, without the preconditions of other ops
 * that no undefined behaviour enforces. To be called before enforced_keep. */
void rule_hazards_again(checker *k);
/* Report findings that name two accesses as a race of that kind; for rules and examples. */
finding *inter_block_report(checker *k, confidence_kind confidence, const ix_access *a,
                            const ix_access *b, witness *w);
finding *in_block_report(checker *k, confidence_kind confidence, const ix_access *a,
                         const ix_access *b, witness *w);
/* The condition that the two elements of one execution are different elements of its tile. */
smt_t self_overlap_elements_differ(checker *k, const ix_access *a);
finding *self_overlap_report(checker *k, confidence_kind confidence, const ix_access *a,
                             witness *w);
void rule_contract(checker *k);      /* TR011; sets the verdict when no launch is allowed */
void rule_assumes(checker *k);       /* TR028 */
void rule_hazards(checker *k);       /* TR009, TR010 */
void rule_index_space(checker *k);   /* TR007 */
void rule_out_of_buffer(checker *k); /* TR008 */
void rule_self_overlap(checker *k);  /* TR004 */
void rule_in_block(checker *k);      /* TR003, TR013 */
void rule_inter_block(checker *k);   /* TR001, TR002, TR005, TR006 */
void rule_outside(checker *k); /* TR001, TR002, TR006 against the preceding kernel and peers */
void rule_covered(checker *k); /* TR012 */
void rule_notes(checker *k);   /* TR023, TR025, TR026, TR027 */

#endif

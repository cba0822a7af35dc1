/* Finds whose mistake it is that nothing orders two accesses of one tile block. */
#ifndef RULES_RULE_FRONT_END_H
#define RULES_RULE_FRONT_END_H

#include "question/checker.h"

/* Whose mistake is it that nothing orders the two accesses of one tile block? Where the module is
 * of a front end that leaves such tokens out, returns the rule that names it, with its name in
 * *suspect; else TR003 and NULL. `vanishes_per_name`: the static reading of loop tokens orders
 * them. */
rule_id front_end_rule(const checker *k, const ix_access *a, const ix_access *b,
                       bool vanishes_per_name, const char **suspect);
/* Does the pair, two accesses of one tile block without order, show a shape in which the front end
 * is known to leave out the token, and would it be ordered if the token were there? */
bool front_end_nvcc_left_out(const checker *k, const ix_access *a, const ix_access *b,
                             bool vanishes_per_name);
bool front_end_cutile_rs_left_out(const checker *k, const ix_access *a, const ix_access *b,
                                  bool vanishes_per_name);
/* Is the value made in the loop (an op, NULL: everywhere) or in what it holds? */
bool front_end_made_inside(const ir_value *value, const ir_op *loop);

#endif

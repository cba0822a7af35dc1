/* Private to rules: which missing order is the front end's, one test a front end. */
#ifndef RULES_RULE_FRONT_END_H
#define RULES_RULE_FRONT_END_H

#include "rules/checker.h"

/* Does the pair, two accesses of one tile block without order, show a shape in which the front end
 * is known to leave out the token, and would it be ordered if the token were there? */
bool front_end_nvcc_left_out(const checker *k, const ix_access *a, const ix_access *b,
                             bool vanishes_per_name);
bool front_end_cutile_rs_left_out(const checker *k, const ix_access *a, const ix_access *b,
                                  bool vanishes_per_name);

/* Is the value made in the loop (an op, NULL: everywhere) or in what it holds? */
bool front_end_made_inside(const ir_value *value, const ir_op *loop);

#endif

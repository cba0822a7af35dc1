/* Signs of what is looked up. */
#ifndef PRECONDITION_SIGNS_H
#define PRECONDITION_SIGNS_H

#include "precondition/propose.h"

/* Proposes that the elements of the table lie on one side of the value of `element` at which a
 * choice in the sum turns. */
void require_look_at_signs(candidate_search *s, smt_t sum, smt_t element);

#endif

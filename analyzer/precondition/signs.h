/* Signs of what is looked up. */
#ifndef PRECONDITION_SIGNS_H
#define PRECONDITION_SIGNS_H

#include "precondition/propose.h"

/* Proposes that the elements lie on one side of where a choice in the sum turns by
 * the one that is looked up. */
void require_look_at_signs(candidate_search *s, smt_t sum, smt_t element);

#endif

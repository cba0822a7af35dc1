/* Quantities that the contract states, and those that it leaves open. */
#ifndef PRECONDITION_STATED_H
#define PRECONDITION_STATED_H

#include "question/checker.h"

/* Does the contract speak of every quantity of the term (parameters, grid extents, contents)? */
bool require_contract_constrains(const checker *k, smt_t term);
/* Does nothing that it states bound the parameter on that side, nor relate it to something else or
 * to the extent of a buffer? */
bool require_leaves_end(const checker *k, smt_t parameter, bool low);
/* Does it also say how large each parameter of the term gets, and how small? */
bool require_contract_sizes(const checker *k, smt_t term);
/* Is there a loop's counter in it, and the contract does not say how far the loop counts? */
bool require_leaves_count(const checker *k, smt_t term);

#endif

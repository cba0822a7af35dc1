/* Quantities that the contract states, and those that it leaves open. */
#ifndef PRECONDITION_STATED_H
#define PRECONDITION_STATED_H

#include "question/checker.h"

/* Does the contract speak of every quantity of the term (parameters, grid extents, contents)? */
bool require_contract_constrains(const checker *k, smt_t term);
/* Does the contract leave the parameter open on that side: does nothing that it states bound the
 * parameter there, or relate it to something else or to the extent of a buffer? */
bool require_leaves_end(const checker *k, smt_t parameter, bool low);
/* Does the contract speak of every quantity of the term, and also bound each parameter of it on
 * both sides? */
bool require_contract_sizes(const checker *k, smt_t term);
/* Does the term have the counter of a loop of which the contract does not say how far it counts? */
bool require_leaves_count(const checker *k, smt_t term);

#endif

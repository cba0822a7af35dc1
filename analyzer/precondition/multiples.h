/* Remainders that no launch of whole tiles has. */
#ifndef PRECONDITION_MULTIPLES_H
#define PRECONDITION_MULTIPLES_H

#include "question/checker.h"

/* Is the fact an accident of rounding: does no launch meet it where each parameter is a multiple of
 * the numbers that the fact divides it by, although the contract allows such launches? */
bool require_is_odd(checker *k, smt_t fact);

#endif

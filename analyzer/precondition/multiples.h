/* Remainders that no launch of whole tiles has. */
#ifndef PRECONDITION_MULTIPLES_H
#define PRECONDITION_MULTIPLES_H

#include "question/checker.h"

/* Does no launch meet the fact in which each parameter is a multiple of the numbers that the fact
 * divides it by, though such launches are stated to be possible? */
bool require_is_odd(checker *k, smt_t fact);

#endif

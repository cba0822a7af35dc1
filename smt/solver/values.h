/* Reads what a solver prints as a model. */
#ifndef SMT_SOLVER_VALUES_H
#define SMT_SOLVER_VALUES_H

#include "terms/term.h"

/* The n values of a (get-value), in the order in which they were asked for; false: the text is no
 * list of n integers or truth values that fit. */
bool smt_read_values(const char *text, size_t n, smt_int *values);

#endif

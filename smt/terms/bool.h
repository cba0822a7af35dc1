/* If-then-else, taken apart. */
#ifndef SMT_TERMS_BOOL_H
#define SMT_TERMS_BOOL_H

#include "terms/term.h"

/* Is `term` min(x, y) (+1) or max(x, y) (-1)? 0 otherwise. */
int smt_is_min_max(smt_t term, smt_t *x, smt_t *y);

#endif

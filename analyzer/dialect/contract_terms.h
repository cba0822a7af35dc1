/* C expressions of contract statements, as terms over a kernel's parameters. */
#ifndef DIALECT_CONTRACT_TERMS_H
#define DIALECT_CONTRACT_TERMS_H

#include "dialect/lower.h"

/* The expression as a number; a condition is 1 or 0. `contents`: tile_value() and tile_index() are
 * allowed. NULL: it is none, and an error at its place has been reported. */
smt_t dl_int_term(dl *L, CXCursor cursor, bool contents);
/* The expression as a condition; a number holds if it is not 0. Otherwise as dl_int_term. */
smt_t dl_bool_term(dl *L, CXCursor cursor, bool contents);

#endif

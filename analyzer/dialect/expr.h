/* Functions that expr.c, condition.c, assign.c and call.c share. */
#ifndef DIALECT_EXPR_H
#define DIALECT_EXPR_H

#include "dialect/lower.h"

/* The deepest recursion into expressions. Clang stops at 256 nested brackets, but operators nest
 * without them. */
#define DL_MAX_DEPTH 1100

/* Is it a comparison, and which? */
bool dl_predicate_of(enum CXBinaryOperatorKind kind, ir_predicate *predicate);
dl_value dl_comparison(dl *L, CXCursor cursor, ir_predicate predicate, bool negated);
/* `&&` and `||`; the right side is lowered into a branch where asking it unasked could do harm. */
dl_value dl_logic(dl *L, CXCursor cursor, bool is_and, bool negated);
dl_value dl_read(dl *L, CXCursor where, uint32_t var);
bool dl_arith_of(enum CXBinaryOperatorKind kind, dl_arith *op);
/* An arithmetic operator of C: pointers take offsets, shifts the left side's type. */
dl_value dl_apply(dl *L, CXCursor where, dl_arith op, dl_value a, dl_value b);
dl_value dl_assignment(dl *L, CXCursor cursor);
dl_value dl_compound_assignment(dl *L, CXCursor cursor);
dl_value dl_increment(dl *L, CXCursor cursor, CXCursor target);
dl_value dl_address(dl *L, CXCursor cursor, CXCursor target);
/* The pointer that `p[i]` or `i[p]` reads or writes. */
dl_value dl_element_pointer(dl *L, CXCursor subscript);

#endif

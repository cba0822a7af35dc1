/* Whether the elements of a table are unsigned. */
#ifndef WITNESS_TABLE_SIGNS_H
#define WITNESS_TABLE_SIGNS_H

#include "question/checker.h"

/* Are the elements of the argument's buffer unsigned? False: signed, or not known. */
bool witness_table_is_unsigned(const checker *k, size_t arg);
/* The number that an element, read as the signed `value`, is in a table of such elements. */
int64_t witness_table_number(const ir_type *elem, bool is_unsigned, int64_t value);

#endif

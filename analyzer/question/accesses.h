/* The kernel's accesses and arguments, looked up. */
#ifndef QUESTION_ACCESSES_H
#define QUESTION_ACCESSES_H

#include "question/checker.h"

/* Does any op read the kernel's argument, by its number? */
bool arg_is_used(const checker *k, size_t argument);
/* Returns the first access of a memory op; NULL: it has none. */
const ix_access *access_of_op(const checker *k, const ir_op *op);
/* Returns the op's access to the buffer of that name. An op whose pointer may go to one of several
 * buffers has an access for each of them; where none of them has that name, the result is the op's
 * first access. NULL: the op has no access. */
const ix_access *access_of_buffer(const checker *k, const ir_op *op, const char *buffer);
/* The name of the argument or the global that the access goes to; "memory" where it is unknown. */
const char *buffer_name(const checker *k, const ix_access *access);

#endif

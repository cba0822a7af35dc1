/* The kernel's accesses and arguments, looked up. */
#ifndef QUESTION_ACCESSES_H
#define QUESTION_ACCESSES_H

#include "question/checker.h"

/* Does any op read the kernel's argument? Looked up once for all of them. */
bool arg_is_used(const checker *k, size_t argument);
/* The access of a memory op; NULL when it has none. */
const ix_access *access_of_op(const checker *k, const ir_op *op);
/* An op whose pointer is one of several buffers' has an access for each: the one of this buffer, or
 * the op's first where no buffer of that name is among them. */
const ix_access *access_of_buffer(const checker *k, const ir_op *op, const char *buffer);
const char *buffer_name(const checker *k, const ix_access *access);

#endif

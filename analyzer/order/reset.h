/* RESET: the kernel leaves the words that it synchronises by at 0. */
#ifndef ORDER_RESET_H
#define ORDER_RESET_H

#include "question/checker.h"

/* The launch that a model of the last question names, in the arena; NULL: it can be none. */
typedef const concrete_launch *order_launch_of(checker *k, const smt_model *model);

/* Does each launch that finds the buffer's words at 0 leave them at 0? Where that is not proved,
 * *open is a launch that may leave another number there, or NULL. Both are NULL where nobody wants
 * one. */
bool order_resets(checker *k, int allocation, order_launch_of *launch_of,
                  const concrete_launch **open);

#endif

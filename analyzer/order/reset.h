/* RESET: the kernel leaves the words that it synchronises by at 0. */
#ifndef ORDER_RESET_H
#define ORDER_RESET_H

#include "question/checker.h"

/* The launch that a model of the last question names, in the arena; NULL: the model names none that
 * can be made. */
typedef const concrete_launch *order_launch_of(checker *k, const smt_model *model);

/* Is it proved that each launch that finds the buffer's words at 0 leaves them at 0? Where it is
 * not, *open is a launch that may leave another number there, or NULL. `launch_of` and `open` are
 * NULL where the caller wants no launch. */
bool order_resets(checker *k, int allocation, order_launch_of *launch_of,
                  const concrete_launch **open);

#endif

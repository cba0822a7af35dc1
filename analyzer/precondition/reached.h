/* Whether an op is executed where its path leads to it. */
#ifndef PRECONDITION_REACHED_H
#define PRECONDITION_REACHED_H

#include "question/checker.h"

typedef struct reach { /* what may never come to its end */
    checker *k;
    const ir_op **stops; /* stb_ds array: loops, and returns inside of loops */
} reach;

/* Finds what may keep an op of the kernel from being executed. */
reach require_reach(checker *k); /* release with require_reach_free */
void require_reach_free(reach *r);
/* The condition that the path leads to the op and nothing before it keeps the op from being
 * executed. It covers all iterations of the loops around the op, but only the first one of a loop
 * whose later iterations may not be reached. */
smt_t require_surely_reached(const reach *r, const ir_op *op, smt_t path);
/* Are iterations of the loop behind the first one reached wherever the op's path leads to them? */
bool require_later_reached(const reach *r, const ir_op *op, const ir_op *loop);

#endif

/* Private to the room: the elements that two kernels store, as terms of one context. */
#ifndef COMPARE_FOOTPRINT_H
#define COMPARE_FOOTPRINT_H

#include "compare/private.h"

enum { FOOTPRINT_MOST_UNKNOWNS = 3 + IX_MAX_LOOPS + IR_MAX_RANK };

/* A store of one of the kernels, in the context of the first one. */
typedef struct footprint {
    smt_t path, facts, mask, bytes;
    int rank; /* of `coordinate`; 0: there are none */
    smt_t coordinate[IR_MAX_RANK];
    size_t n_own;
    smt_t own[FOOTPRINT_MOST_UNKNOWNS]; /* block ids, loop counters, in-tile coordinates */
} footprint;

/* A term of the second kernel, as one of the first one's context. Parameters that both have are the
 * same variables then. */
smt_t footprint_import(const comparing *c, smt_t term);

/* Values of `own` of `y` at which it stores to the element that `x` stores to, over what `x` has: a
 * guess, to be proved. False: none was found. */
bool footprint_invert(smt_ctx *ctx, const footprint *y, const footprint *x, smt_t *values);

#endif

/* Shared by the two files of the guard. */
#ifndef CONTRACT_GUARD_PRIVATE_H
#define CONTRACT_GUARD_PRIVATE_H

#include "contract/guard.h"

typedef struct guard_contents guard_contents; /* a fact on contents, ready to be asked */

const guard_contents *guard_contents_new(smt_ctx *ctx, const contract *c,
                                         const guard_elements *elements, const precondition *p);
guard_result guard_contents_check(const guard_contents *g, const guard_launch *launch);

/* The element that `element`, an application over launch-time contents, stands for; false where it
 * is not at hand. */
bool guard_element(const contract *c, const guard_elements *elements, const guard_launch *launch,
                   smt_t element, smt_int index, smt_int *value);

/* One fact that the contract states, and how it is called. */
typedef struct guard_fact {
    precondition what;
    const char *text;
    smt_t distance; /* of argument `to` from argument `from`, in bytes; NULL: `what` is the fact */
    size_t from, to;
} guard_fact;

/* An stb_ds array of all of them but the ranges of scalars. */
guard_fact *guard_stated_facts(smt_ctx *ctx, const contract *c, const guard_elements *elements);

typedef struct guard_range {
    smt_int low, high;
    const char *text;
} guard_range;

typedef struct guard_ranges {
    const guard_range *of;         /* one for each scalar argument */
    smt_int least_grid, most_grid; /* of an extent of the grid */
} guard_ranges;

guard_ranges guard_ranges_of(smt_ctx *ctx, const contract *c);

/* The parts that a guard was made of. */
typedef struct guard_parts {
    smt_ctx *ctx;
    const contract *contract;
    const guard_elements *elements; /* one for each argument */
    size_t n;
    const precondition *const *preconditions; /* n, in the arena of ctx */
} guard_parts;

guard_parts guard_parts_of(const guard *g);

#endif

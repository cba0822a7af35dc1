/* What the two files of the guard share. */
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

#endif

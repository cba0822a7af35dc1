/* A guard as characters, from the process that made the proof to the one that launches. */
#ifndef CONTRACT_GUARD_CARRY_H
#define CONTRACT_GUARD_CARRY_H

#include "contract/guard.h"

/* A guard that is read back: it answers as the one that was written does. */
typedef struct guard_carried guard_carried;

struct guard_carried {
    smt_ctx *ctx; /* of all the rest */
    contract *contract;
    const guard_elements *elements;
    size_t n;
    const precondition *const *preconditions;
    const guard *guard;
    const char *symbol; /* of the kernel */
};

void guard_carry(tr_text *out, const guard *g, const char *symbol);
/* NULL where the text is none. To be given back by guard_carried_free. */
tr_give guard_carried *guard_read(const char *text);
void guard_carried_free(tr_take guard_carried *g); /* NULL is fine */

#endif

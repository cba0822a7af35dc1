/* Terms as characters, and back into another context. */
#ifndef SMT_TERMS_CARRY_H
#define SMT_TERMS_CARRY_H

#include "base/carried.h"
#include "terms/term.h"

/* Writes n terms, which are of that context; any may be NULL. */
void smt_carry_terms(tr_text *out, smt_ctx *ctx, size_t n, const smt_t *terms);
/* Reads so many terms: those that were written, term for term. False, and all of them NULL: the
 * bytes are none. Variables and functions have the ranges that they had; a name with another range
 * in `ctx` already is a mistake. */
bool smt_carried_terms(tr_carried *from, smt_ctx *ctx, size_t n, smt_t *terms);

#endif

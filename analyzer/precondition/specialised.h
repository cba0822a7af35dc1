/* An axis that the kernel was compiled to have one block on. */
#ifndef PRECONDITION_SPECIALISED_H
#define PRECONDITION_SPECIALISED_H

#include "question/checker.h"

/* Makes it a launch precondition that the axes have one tile block which the access's indices read
 * where a view has one tile, if that settles some part of `safe`. Returns what is left of it. */
smt_t specialised_settles(checker *k, const ix_access *a, smt_t safe);
precondition specialised_precondition(smt_ctx *ctx, int axis);
/* cuTile Rust passes the strides of each array and compiles the kernel for them: says that those of
 * a launch are the kernel's constants. The proof has them from the view, so none uses it. */
void require_constant_strides(checker *k);

#endif

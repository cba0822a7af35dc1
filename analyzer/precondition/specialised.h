/* An axis that the kernel was compiled to have one block on. */
#ifndef PRECONDITION_SPECIALISED_H
#define PRECONDITION_SPECIALISED_H

#include "question/checker.h"

/* Where the access's indices read an axis along a dimension in which the view has one tile: makes
 * it a launch precondition that the axis has one tile block, if that settles some part of `safe`.
 * Returns the part of `safe` that is left. */
smt_t specialised_settles(checker *k, const ix_access *a, smt_t safe);
/* The precondition that the axis has one tile block. */
precondition specialised_precondition(smt_ctx *ctx, int axis);
/* cuTile Rust passes the strides of each array and compiles the kernel for them. Requires that the
 * strides of a launch are the kernel's constants. Proofs have these from the view, so none uses the
 * precondition. */
void require_constant_strides(checker *k);

#endif

/* Undefined behaviour of one op, and whether a precondition may exclude it. */
#ifndef PRECONDITION_STARVED_H
#define PRECONDITION_STARVED_H

#include "question/checker.h"

/* An op that is undefined where it happens and `safe` does not hold. */
typedef struct undefined_op {
    const ir_op *op;
    bool index_space;           /* as the interpreter calls it (interp_ub_is_of_index) */
    smt_t path, facts, assumed; /* as of an access or a hazard */
    smt_t mask;                 /* the element's; NULL: the op is undefined whatever is masked */
    smt_t safe;
    size_t n_loops;
    const ix_loop *const *loops;
    int rank;
    const int64_t *tile;
} undefined_op;

/* Describes a hazard, or an access that is undefined where `safe` does not hold. */
undefined_op require_undefined_hazard(const ix_hazard *h);
undefined_op require_undefined_access(const ix_access *a, smt_t safe, bool index_space);
/* The condition that the op happens and is undefined. */
smt_t require_failure(checker *k, const undefined_op *u);
/* Would a precondition that the op is defined, or that the fact holds of the launch, leave some
 * access a single tile block on an axis, or a single iteration of a loop, where it has several now?
 */
bool require_starves(checker *k, const undefined_op *u);
bool require_fact_starves(checker *k, smt_t fact);
/* Does the term depend on more than the launch, the block and the loops: on what is read while the
 * kernel runs? Then other blocks may decide it, and the host cannot promise it. */
bool require_undefined_by_memory(const checker *k, smt_t term);

#endif

/* Private to rules: undefined behaviour of one op, and whether a precondition may exclude it. */
#ifndef RULES_UNDEFINED_H
#define RULES_UNDEFINED_H

#include "rules/require_search.h"

/* An op that is undefined where it happens and `safe` does not hold. */
typedef struct undefined_op {
    const ir_op *op;
    bool index_space;           /* as the interpreter calls it (interp_ub_is_of_index) */
    smt_t path, facts, assumed; /* as of an access or a hazard */
    smt_t mask;                 /* of the element; NULL: whether masked or not */
    smt_t safe;
    size_t n_loops;
    const ix_loop *const *loops;
    int rank;
    const int64_t *tile;
} undefined_op;

undefined_op undefined_of_hazard(const ix_hazard *h);
undefined_op undefined_of_access(const ix_access *a, smt_t safe, bool index_space);

/* The op happens, and is undefined. */
smt_t undefined_failure(checker *k, const undefined_op *u);

/* Would a precondition that the op is defined, or that the fact holds of the launch, leave some
 * access one tile block on an axis, or one iteration of a loop, which it has several of? */
bool undefined_starves(checker *k, const undefined_op *u);
bool undefined_fact_starves(checker *k, smt_t fact);

typedef enum undefined_fate {
    UNDEFINED_AVOIDABLE,  /* a launch precondition may exclude it */
    UNDEFINED_EVERYWHERE, /* none may: an error, with a witness */
    UNDEFINED_DOUBTFUL,   /* none may, but no run shows it: a precondition that no proof uses */
} undefined_fate;

/* What is to be done with undefined behaviour that no fact on the launch excludes; *w is set for
 * UNDEFINED_EVERYWHERE. */
undefined_fate undefined_decide(checker *k, const undefined_op *u, witness **w);

/* Does the term depend on more than the launch, the block and the loops: on what is read while the
 * kernel runs? Then other blocks may decide it, and the host cannot promise it. */
bool undefined_by_memory(const checker *k, smt_t term);

/* ---- specialised.c: an axis that the kernel was compiled to have one block on ---- */

/* Makes it a launch precondition that the axes have one tile block which the access's indices read
 * where a view has one tile, if that settles some part of `safe`. Returns what is left of it. */
smt_t specialised_settles(checker *k, const ix_access *a, smt_t safe);
precondition specialised_precondition(smt_ctx *ctx, int axis);
/* cuTile Rust passes the strides of each array and compiles the kernel for them: says that those of
 * a launch are the kernel's constants. The proof has them from the view, so none uses it. */
void rule_constant_strides(checker *k);

/* ---- claims.c: tiles that are marked as in bounds ---- */

/* Accesses whose marks are errors are compared with others as memory has them. */
void claims_compare_touched(checker *k);
/* Makes race preconditions of those that such tiles ask for and whose violation is a race. */
void claims_decide(checker *k);

#endif

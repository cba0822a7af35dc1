/* Models. */
#ifndef SMT_SOLVER_MODEL_H
#define SMT_SOLVER_MODEL_H

#include "goal/goal.h"
#include "solver/answer.h"
#include "terms/poly.h"

struct smt_model {
    smt_ctx *ctx;
    size_t n; /* variables, by rising ids */
    const smt_t *terms;
    const smt_int *values;
    size_t n_points; /* of functions and predicates */
    struct smt_point {
        smt_kind kind;
        const char *name;
        uint32_t n_args;
        const smt_int *args;
        smt_int value;
    } *points;
};

/* Makes a model from the values of `n` variables and applications, by rising ids, and adds the
 * values of variables that the goal's simplification has eliminated. NULL when an argument has no
 * value. */
smt_model *smt_model_make(smt_ctx *ctx, tr_arena *arena, size_t n, const smt_t *terms,
                          const smt_int *values, const smt_goal *goal);
/* Every term true, every variable and application within its range? */
bool smt_model_satisfies(const smt_model *model, size_t n, const smt_t *terms);
/* Does one of the models satisfy them? */
bool smt_any_model_satisfies(size_t n_models, const smt_model *const *models, size_t n,
                             const smt_t *terms);
/* Like smt_any_model_satisfies(), for the terms of another context; of variables, only those whose
 * id is below. */
smt_model *smt_model_translate(const smt_model *model, smt_ctx *to, tr_arena *arena,
                               uint32_t below);
/* Value of a term in the model (variables and applications that the model does not mention are 0,
 * or the nearest value in their range). False on division by zero or overflow. */
bool smt_model_eval(const smt_model *model, smt_t term, smt_int *value);

#endif

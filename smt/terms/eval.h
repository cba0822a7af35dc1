/* Values of terms that are walked in order. */
#ifndef SMT_TERMS_EVAL_H
#define SMT_TERMS_EVAL_H

#include "terms/walk.h"

/* Value of the term at that place, whose children have theirs; no variable and no application. */
smt_value smt_eval_at(const smt_order *order, size_t place, const smt_value *values);
/* Like smt_eval_at(), for any term; `room` is an stb_ds array, kept from one to the next and freed
 * at last. */
smt_value smt_eval_found(const smt_order *order, size_t place, const smt_value *values,
                         smt_lookup lookup, void *user, smt_int **room);
/* Values of all terms of the order, in its order. */
void smt_eval_order(const smt_order *order, smt_lookup lookup, void *user, smt_value *values);

#endif

/* Answers that were given: the search for requires asks many a question twice, and of many
 * questions one model is enough. */
#ifndef SMT_SOLVER_REMEMBER_H
#define SMT_SOLVER_REMEMBER_H

#include "solver/answer.h"
#include "terms/term.h"

typedef struct smt_memory smt_memory;

tr_give smt_memory *smt_memory_new(void);
void smt_memory_free(tr_take smt_memory *memory);
/* The answer to the same conjuncts, in any order; NULL: none, or it was not decided in fewer
 * steps than there are now. Valid until the next smt_remember. */
const smt_answer *smt_recall(const smt_memory *memory, size_t n, const smt_t *conjuncts,
                             smt_steps steps);
void smt_remember(smt_memory *memory, size_t n, const smt_t *conjuncts, smt_steps steps,
                  const smt_answer *answer);
/* Does one of the models of the latest answers satisfy these conjuncts, too? */
bool smt_recall_model(const smt_memory *memory, size_t n, const smt_t *conjuncts);

#endif

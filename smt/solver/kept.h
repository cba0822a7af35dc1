/* Questions that are kept as files. */
#ifndef SMT_SOLVER_KEPT_H
#define SMT_SOLVER_KEPT_H

#include "solver/answer.h"
#include "solver/prover.h"
#include "terms/term.h"

/* Writes the question, before it is asked: what ends the process at it can be looked at. The file,
 * in the prover's arena; NULL: none is to be kept. */
const char *smt_keep(smt_prover *prover, size_t n, const smt_t *conjuncts, const char *name);
/* Writes it once more, with its answer. */
void smt_keep_answer(smt_prover *prover, const char *file, size_t n, const smt_t *conjuncts,
                     const char *name, smt_verdict verdict);
/* The whole query as SMT-LIB 2 text, nothing left out as it is where the solver is asked. */
void smt_print_query(tr_text *out, smt_ctx *ctx, size_t n, const smt_t *conjuncts);

#endif

/* Is a conjunction of terms satisfiable? Strategies first, a solver process for the rest.
 *
 * A strategy may only split cases or add valid lemmas; it never makes assumptions. */
#ifndef SMT_STRATEGIES_PROVE_H
#define SMT_STRATEGIES_PROVE_H

#include "solver/answer.h"
#include "solver/prover.h"
#include "terms/term.h"

/* Are the n boolean terms `conjuncts` satisfiable together? Ranges of variables are added. It takes
 * at most so many steps, the solver's included, which the context counts (smt_steps_taken). The
 * only clocks are the context's budget (smt_set_budget) and one that notices a solver which hangs.
 * `name` goes into the kept obligation's file name and comment. */
smt_answer smt_check(smt_prover *prover, size_t n, const smt_t *conjuncts, smt_steps steps,
                     const char *name);
/* Like smt_check(), where only the verdict matters: the model of a late answer, if it satisfies
 * these terms too, shows that they are SAT. */
smt_verdict smt_check_verdict(smt_prover *prover, size_t n, const smt_t *conjuncts, smt_steps steps,
                              const char *name);
/* Checks as smt_check does, and on SAT the model is made small: the terms of `small` in turn are
 * pushed towards 0 (their absolute value) while there are steps left. */
smt_answer smt_check_small(smt_prover *prover, size_t n, const smt_t *conjuncts, size_t n_small,
                           const smt_t *small, smt_steps steps, const char *name);

#endif

/* The solver, whose answers are confirmed. */
#ifndef SMT_SOLVER_CONFIRM_H
#define SMT_SOLVER_CONFIRM_H

#include "solver/answer.h"
#include "solver/process.h"
#include "solver/prover.h"
#include "solver/task.h"
#include "terms/print_smtlib.h"

/* Puts the question to the solver. The script is made here; what is UNSAT was asked twice. */
smt_reply smt_put(smt_task *task, size_t n, const smt_t *terms, smt_steps steps, bool far_bounds,
                  smt_script *script);

#endif

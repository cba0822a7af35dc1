/* Finds the solver. */
#ifndef SMT_SOLVER_FIND_SOLVER_H
#define SMT_SOLVER_FIND_SOLVER_H

#include "base/base.h"

/* Path of the solver: $TILERACE_SOLVER, the build's own, z3 on PATH. NULL and *why, a sentence with
 * the remedy, when there is none. Its version is looked at when it is first asked: a start of it
 * takes longer than many a check. */
const char *smt_find_solver(tr_arena *arena, const char **why);

#endif

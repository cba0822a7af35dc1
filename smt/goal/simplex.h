/* Linear programs: can all rows hold over the rational numbers? Found with floating point, believed
 * only when whole multipliers show it exactly. */
#ifndef SMT_GOAL_SIMPLEX_H
#define SMT_GOAL_SIMPLEX_H

#include "terms/term.h"

typedef struct smt_program smt_program;

tr_give smt_program *smt_program_new(void);
void smt_program_free(tr_take smt_program *program);
/* The row sum <= 0, or sum = 0; its summands are taken for unknowns within their ranges. */
void smt_program_add(smt_program *program, smt_t sum, bool is_equation);
/* Do the rows contradict each other, with the ranges? False: not seen. */
bool smt_program_is_infeasible(smt_program *program);
/* A variable that the solution found last has between *below and the next whole number; NULL: none,
 * or no solution was found. */
smt_t smt_program_fractional(smt_program *program, smt_int *below);

#endif

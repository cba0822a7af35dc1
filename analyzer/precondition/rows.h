/* Rows that a kernel addresses by numbers. */
#ifndef PRECONDITION_ROWS_H
#define PRECONDITION_ROWS_H

#include "precondition/propose.h"
#include "question/checker.h"

/* Proposes that what is added to a row's start stays below the row's stride, for rows of rows in
 * every order of the strides (`alone`: one order at most is meant); `b` is the access that it must
 * not meet, whose rows may start elsewhere. */
void require_look_at_rows(checker *k, const ix_access *a, const ix_access *b,
                          require_proposal propose, require_proposal propose_alone, void *search);
/* Like require_look_at_rows(), for one access alone whose rows begin behind their start. */
void require_look_at_cut_rows(checker *k, const ix_access *a, require_proposal propose_alone,
                              void *search);
/* The extent or stride of dimension d of the array that the access goes to: the parameter, or 1 for
 * a stride that was known to be 1 when the kernel was compiled. NULL: there is none, or the kernel
 * does not read it. */
smt_t require_array_part(checker *k, const ix_access *a, contract_role role, size_t d);
/* The fact that the array does not overlap itself, over the parameters that hold its strides; NULL:
 * the access does not go to an array. */
smt_t require_array_chain(checker *k, const ix_access *a);
/* The summands of the sum that are the same for all blocks, without its constant. */
smt_t require_launch_part(checker *k, smt_t sum);

#endif

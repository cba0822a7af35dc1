/* When coordinates stand for addresses, and what a term is made of. */
#ifndef QUESTION_LAYOUT_H
#define QUESTION_LAYOUT_H

#include "question/checker.h"

/* Are different coordinates of the tensor different addresses, at every launch? False where that is
 * not proved. The answer is kept until layout_forget(). */
bool layout_is_injective(checker *k, const ix_tensor *tensor);
/* Forgets the answers about layouts, because more is known of the launch now, or less. */
void layout_forget(checker *k);
/* The dimension that has the largest stride where layout_chain() holds; -1: no dimension is longer
 * than 1. */
int layout_outermost(checker *k, const ix_tensor *tensor);
/* The inequalities between strides and extents under which different coordinates are different
 * addresses. */
smt_t layout_chain(checker *k, const ix_tensor *tensor);
/* Are both tensors one layout, the same in all blocks, so that coordinates stand for addresses? */
bool layout_is_shared(checker *k, const ix_tensor *a, const ix_tensor *b);
/* Is the term the same for all blocks of a launch? */
bool term_is_launch_constant(const checker *k, smt_t term);
/* Can a caller compute the term, from arguments, the grid and elements of buffers at launch? Not
 * where the result of an op is in it, say the sum of a table, although all blocks compute the same
 * one. */
bool term_is_of_launch(const checker *k, smt_t term);
/* Does the term speak of such results? They have no name that a reader of a report knows. */
bool term_has_results(const checker *k, smt_t term);
/* An element of a buffer at launch that the term looks up; NULL: there is none. */
smt_t term_element_in(const checker *k, smt_t term);

#endif

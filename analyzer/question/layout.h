/* When coordinates stand for addresses, and what a term is made of. */
#ifndef QUESTION_LAYOUT_H
#define QUESTION_LAYOUT_H

#include "question/checker.h"

/* Are different coordinates of the tensor different addresses, at every launch? Asked once each. */
bool layout_is_injective(checker *k, const ix_tensor *tensor);
/* Asks again: more is known of the launch now, or less. */
void layout_forget(checker *k);
/* The dimension of the largest stride, where these inequalities hold; -1: none is longer than 1. */
int layout_outermost(checker *k, const ix_tensor *tensor);
/* The inequalities between strides and extents that make it so. */
smt_t layout_chain(checker *k, const ix_tensor *tensor);
/* Are both tensors one layout, the same in all blocks, so that coordinates stand for addresses? */
bool layout_is_shared(checker *k, const ix_tensor *a, const ix_tensor *b);
bool term_is_launch_constant(const checker *k, smt_t term);
/* Can a caller compute it too: of arguments, the grid and elements that buffers have at launch, and
 * of no result of an op, say the sum of a table, although all blocks compute the same? */
bool term_is_of_launch(const checker *k, smt_t term);
/* Does it speak of such results? No reader of a report knows them by a name. */
bool term_has_results(const checker *k, smt_t term);
/* An element as a buffer has it at launch that the term looks up; NULL: none. */
smt_t term_element_in(const checker *k, smt_t term);

#endif

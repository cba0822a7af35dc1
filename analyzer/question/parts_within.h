/* Parts of what is known that a question needs. */
#ifndef QUESTION_PARTS_WITHIN_H
#define QUESTION_PARTS_WITHIN_H

#include "terms/term.h"

/* Appends the parts of the conjunction `all` whose variables and applications all occur
 * in `core`. Fewer facts are often sooner refuted. */
void term_parts_within(smt_ctx *ctx, smt_t all, smt_t core, smt_t **parts);

#endif

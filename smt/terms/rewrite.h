/* Terms with other parts, and in another context. */
#ifndef SMT_TERMS_REWRITE_H
#define SMT_TERMS_REWRITE_H

#include "terms/term.h"

/* Replaces `from` by `to` in terms of a goal, which may lose the ranges of `from`: a goal with
 * fewer facts has more models, so a refuted goal stays refuted, and a model is evaluated against
 * the whole question. Parts that several terms share are changed once. `changed` may be `terms`. */
void smt_replace_in_all(smt_ctx *ctx, size_t n_terms, const smt_t *terms, smt_t *changed, size_t n,
                        const smt_t *from, const smt_t *to);
/* Returns the node with other children, simplified anew. */
smt_t smt_rebuild(smt_ctx *ctx, smt_t term, const smt_t *args);

/* Copies terms into another context: variables and functions are known by their names. A variable
 * that its range leaves one value is that number there. */
void smt_import(smt_ctx *to, size_t n, const smt_t *terms, smt_t *imported);

#endif

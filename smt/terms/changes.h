/* Changes that are asked for again and again, of terms that share most of their parts: what became
 * of a part is kept, so all of them together take time linear in the number of distinct parts. */
#ifndef SMT_TERMS_CHANGES_H
#define SMT_TERMS_CHANGES_H

#include "terms/term.h"

typedef struct smt_changes smt_changes;

/* Every occurrence of from[i] (variables or applications) becomes to[i], as by smt_substitute().
 * Dies before the context does. */
tr_give smt_changes *smt_changes_new(smt_ctx *ctx, size_t n, const smt_t *from, const smt_t *to);
void smt_changes_free(tr_take smt_changes *changes);
/* The term with these changes, where nothing is divided by 0: a divisor that is not negative is 1
 * at least there, which is said of the outermost divisions and of those a few levels inside them.
 */
smt_t smt_changed_where_defined(smt_changes *changes, smt_t term);

#endif

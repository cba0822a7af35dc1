/* SMT-LIB 2 scripts: the query's text, and how its answers are read back. */
#ifndef SMT_TERMS_PRINT_SMTLIB_H
#define SMT_TERMS_PRINT_SMTLIB_H

#include "terms/term.h"

typedef struct smt_script {
    tr_text text;
    smt_t *wanted;        /* stb_ds array: variables and applications whose values a model has, by
                             rising ids, so that an application's arguments come first */
    const char **spelled; /* each as the script spells it */
    tr_arena *arena;      /* of the names */
    unsigned degree;      /* highest of a product that it says; at least 1 */
    size_t products;      /* how many different products it says */
} smt_script;

/* Makes declarations, ranges and assertions, without check-sat. Without `far_bounds`, bounds of
 * ranges that are far from 0 are left out. They make products much harder for a solver, and rarely
 * matter: refuting the goal without them refutes it, and a model is checked anyway. The same holds
 * of products of a high degree, which are only numbers in their ranges. */
void smt_script_make(smt_script *script, size_t n, const smt_t *conjuncts, bool far_bounds);
/* Like smt_script_make(), with nothing left out, and with bit operations defined. It is for files,
 * so that any solver's answer to them is right; our own solver might work on it without end. */
void smt_script_make_whole(smt_script *script, size_t n, const smt_t *conjuncts);
/* Are there bounds that the script leaves out? */
bool smt_script_has_far_bounds(size_t n, const smt_t *conjuncts);
void smt_script_free(smt_script *script);
/* Returns a (get-value ...) of all wanted terms; the empty text if there are none. */
void smt_script_get_values(const smt_script *script, tr_text *out);

#endif

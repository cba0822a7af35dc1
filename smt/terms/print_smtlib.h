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

/* Declarations, ranges and assertions; no check-sat. Not `far_bounds`: bounds of ranges that are
 * far from 0 are left out. They cost a solver of products much and mostly mean nothing: refuting
 * the goal without them refutes it, and a model is checked anyway. The same holds of products of a
 * high degree, which are only numbers in their ranges. */
void smt_script_make(smt_script *script, size_t n, const smt_t *conjuncts, bool far_bounds);
/* The same with nothing left out, and with bit operations defined: for a file, whose answer has to
 * be true for whoever reads it. A solver that is asked might work on it without end. */
void smt_script_make_whole(smt_script *script, size_t n, const smt_t *conjuncts);
/* Would leaving them out make a difference? */
bool smt_script_has_far_bounds(size_t n, const smt_t *conjuncts);
void smt_script_free(smt_script *script);
/* A (get-value ...) of all that is wanted; the empty text when nothing is. */
void smt_script_get_values(const smt_script *script, tr_text *out);

#endif

/* Comparisons as atoms. */
#ifndef SMT_TERMS_COMPARE_H
#define SMT_TERMS_COMPARE_H

#include "terms/term.h"

typedef enum smt_relation { SMT_IS_LE, SMT_IS_GE, SMT_IS_EQ, SMT_IS_NE } smt_relation;

/* A comparison as `form` (no constant, first coefficient > 0) against a number. */
typedef struct smt_atom {
    smt_t form;
    smt_relation relation;
    smt_int number;
} smt_atom;

/* False when the term is no comparison. */
bool smt_atom_of(smt_ctx *ctx, smt_t term, smt_atom *atom);
/* Comparisons that must all hold, merged: what they say together of each form. Returns a new stb_ds
 * array, or NULL and *is_false when they contradict each other. */
smt_t *smt_merge_atoms(smt_ctx *ctx, size_t n, const smt_t *atoms, bool *is_false);

#endif

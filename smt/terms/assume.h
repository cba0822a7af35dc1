/* Known conditions of a term, to rewrite it by. */
#ifndef SMT_TERMS_ASSUME_H
#define SMT_TERMS_ASSUME_H

#include "terms/poly.h"
#include "terms/range.h"

typedef struct smt_known {
    smt_ctx *ctx;
    struct smt_truth {
        smt_t key;
        bool value;
    } *truths; /* stb_ds maps */
    struct smt_form_range {
        smt_t key;
        smt_range value;
    } *forms;
    smt_t self; /* a term that is not to decide itself; or NULL */
} smt_known;

void smt_known_learn(smt_known *known, smt_t fact);
/* The term with its decided parts in place. */
smt_t smt_known_use(smt_known *known, smt_t term);
void smt_known_free(smt_known *known);

#endif

/* Bit operations, taken apart. */
#ifndef SMT_TERMS_BITS_H
#define SMT_TERMS_BITS_H

#include "terms/term.h"

const char *smt_bits_symbol(smt_bits_op op); /* C's operator */
smt_int smt_bits_value(smt_bits_op op, smt_int a, smt_int b);
/* Defines the function of such a term for a script, by SMT-LIB's bit vectors of just its width. */
void smt_bits_define(tr_text *out, const char *name, smt_t term);
smt_t smt_bits_rebuild(smt_ctx *ctx, smt_t term, smt_bits_op op, const smt_t *args);

#endif

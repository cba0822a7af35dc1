/* Expressions of a launch contract: C integer syntax that means mathematical integers.
 *
 *   literals (decimal, 0x), names, grid.x grid.y grid.z, ( ), + - * / % (truncating, as C's),
 *   == != < <= > >=, && || !, cdiv(a, b), min(a, b), max(a, b) */
#ifndef CONTRACT_EXPRESSION_H
#define CONTRACT_EXPRESSION_H

#include "contract/contract.h"

typedef struct contract_expression {
    smt_t term;    /* integer or boolean; NULL after an error */
    smt_t defined; /* boolean: no division by zero on the way, short circuits counted. A fact that
                      is guaranteed was evaluated, so it and its definedness hold together */
} contract_expression;

/* Reads one expression over the scalar arguments of `c` (and `value`, `index` when in_contents).
 * On an error term is NULL and *why says what is wrong, with the column, in the context's arena. */
contract_expression contract_expression_read(smt_ctx *ctx, const contract *c, const char *text,
                                             bool in_contents, const char **why);

/* Length of the longest name that `text` starts with; 0: none. A name is an identifier, or says
 * which part of an argument of the host's language it is: `q.shape[0]`, `pair[1].stride[2]`. */
size_t contract_name_length(const char *text);
/* Is the name an identifier? Others came with version 2 of contract files. */
bool contract_name_is_plain(const char *name);

/* The nearest of n names to a misspelt one; NULL when none is near. */
const char *contract_nearest(const char *name, size_t n, const char *const *names);

#endif

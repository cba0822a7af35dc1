/* Private to rules: looks for what the launch would have to guarantee. */
#ifndef RULES_REQUIRE_SEARCH_H
#define RULES_REQUIRE_SEARCH_H

#include "rules/checker.h"

/* The obligation `conjuncts` (of the pair, in that relation, with `also`) is not proved. True when
 * a natural precondition proves it; it is then among the requires and in k->launch. */
bool require_search(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                    smt_t also, const smt_t *conjuncts);

/* A condition on the launch alone under which `safe` (a condition of one event) holds in every
 * block and iteration; NULL when it has no such form. */
smt_t require_lift(checker *k, smt_t safe);
/* Greatest value of a variable of the block's own, over the launch alone; NULL when it has none. */
smt_t require_upper_end(checker *k, smt_t variable);
/* Adds the require with the fact's own text and contract fragment. */
void require_add_fact(checker *k, require_kind kind, smt_t fact);

#endif

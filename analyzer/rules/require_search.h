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
/* ---- require_natural.c ---- */

/* What callers mean by an array: those that the kernel writes do not overlap themselves, where the
 * contract says nothing of their strides. */
smt_t require_presumed(checker *k);
/* The index tuple lies in the view's index space. */
smt_t require_in_space(checker *k, const ix_access *a);
/* No undefined behaviour before or at the event: holds at every launch that meets the requires, as
 * long as each such obligation was proved or became one. */
smt_t require_defined(checker *k, const ix_access *a);
smt_t require_both_defined(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation);
/* Asks again, for launches as callers make them; *conjuncts grows by what that adds. `before` is
 * the answer so far. */
smt_answer require_natural(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation, smt_t **conjuncts, const char *name,
                           smt_answer before);
/* Does the launch meet what is required and presumed of it, as far as values tell? */
bool require_launch_holds(checker *k, const interp_launch *launch);
/* Does the run keep the kernel's own assumptions, and meet no undefined behaviour that the requires
 * exclude? */
bool require_run_is_defined(checker *k, const interp_run *run);
/* Both, the second by a run of the whole launch where that is short. */
bool require_allows(checker *k, const interp_launch *launch, const char **why);
/* The contract with all that added; in the arena but for its `facts`, which the caller frees
 * (arrfree). */
contract *require_natural_contract(checker *k);

/* ---- require_search.c ---- */

/* The array's own strides do not overlap, by the parameters that hold them; NULL: not an array. */
smt_t require_array_chain(checker *k, const ix_access *a);
/* Adds the require with the fact's own text and contract fragment. */
void require_add_fact(checker *k, require_kind kind, smt_t fact);

#endif

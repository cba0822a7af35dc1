/* Private to rules: facts that a proof might ask of the launch. */
#ifndef RULES_REQUIRE_CANDIDATES_H
#define RULES_REQUIRE_CANDIDATES_H

#include "rules/require_search.h"

typedef struct candidate {
    precondition_kind kind;
    smt_t fact;
    int unique_arg; /* which argument's contents are unique; else -1 */
    smt_t when;     /* ... among the elements for which this holds; NULL: all */
    size_t n_with;  /* ... together with the elements at the same index of these arguments */
    const int *with;
    int range_arg;   /* which argument's contents lie in a range; else -1 */
    smt_t low, high; /* NULL: no such bound; they may use contract_value() */
    int prefix_of;   /* which argument's contents `range_arg`'s are the prefix sum of; else -1 */
    bool increasing; /* ... and do not decrease */
    bool alone;      /* says how an array lies: of those that do, one at most holds */
} candidate;

/* One about the launch's numbers alone. */
candidate candidate_of(smt_ctx *ctx, precondition_kind kind);
/* Those that speak of quantities that the contract leaves open: stb_ds array, weakest first. */
candidate *require_candidates(checker *k, const ix_access *a, const ix_access *b);

/* What was found for the pairs before this one; stb_ds array. require_pairs.c */
candidate *require_found(checker *k);

#endif

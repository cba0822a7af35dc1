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

/* ---- Between the files that look for candidates ---- */

typedef struct candidate_search {
    checker *k;
    const ix_access *access; /* that is being looked at */
    candidate *found;        /* stb_ds array, weakest first */
} candidate_search;

typedef struct place { /* variable * weight: one place of a mixed-radix number */
    smt_t variable, weight;
} place;

enum { MAX_PLACES = 6 };

/* The factor that goes with `variable` in one summand, coef * (the product without it); NULL: it is
 * not in it exactly once. */
smt_t require_factor_of(smt_ctx *ctx, smt_t summand, smt_int coef, smt_t variable);
/* How far apart the places of that weight are: its amount. */
smt_t require_distance_of(smt_ctx *ctx, smt_t weight);
/* The places of a sum; `looked_up`: numbers that are looked up in a buffer count as well. */
size_t require_places_of(checker *k, smt_t sum, bool looked_up, place *out);
/* Proposes a range of the elements of the argument's buffer, unless it was proposed already. */
void require_propose_range(candidate_search *s, int arg, smt_t low, smt_t high, bool increasing);
/* require_signs.c: proposes that the elements lie on one side of where a choice in the sum turns by
 * the one that is looked up. */
void require_look_at_signs(candidate_search *s, smt_t sum, smt_t element);
/* require_windows.c: proposes that what is looked up keeps to a block's own places. */
void require_look_at_windows(candidate_search *s, const ix_access *a);
/* require_lookups.c: proposes facts on what the access's address looks up. */
void require_look_at_lookups(candidate_search *s, const ix_access *a);

/* ---- require_pairs.c ---- */

/* What was found for the pairs before this one; stb_ds array. */
candidate *require_found(checker *k);

#endif

/* Shared by all searches for candidates. */
#ifndef PRECONDITION_PROPOSE_H
#define PRECONDITION_PROPOSE_H

#include "question/checker.h"

typedef void (*require_proposal)(void *search, precondition_kind kind, smt_t fact);

/* Proposes that elements of the argument's buffer are lengths of rows: `most` at most, and `least`
 * at least unless that is NULL. */
typedef void (*require_length_proposal)(void *search, int arg, smt_t least, smt_t most);

typedef struct candidate {
    precondition_kind kind;
    smt_t fact;
    int unique_arg; /* which argument's contents are unique; else -1 */
    smt_t when;     /* they are unique among the elements for which this holds; NULL: all */
    size_t n_with; /* they are unique together with elements of these arguments at the same index */
    const int *with;
    int range_arg;   /* which argument's contents lie in a range; else -1 */
    smt_t low, high; /* NULL: no such bound; they may use contract_value() */
    int prefix_of;   /* which argument's contents `range_arg`'s are the prefix sum of; else -1 */
    bool increasing; /* the sums do not decrease */
    bool alone;      /* it says how an array is laid out: at most one of those holds */
} candidate;

/* Makes a candidate about the launch's numbers alone. */
candidate candidate_of(smt_ctx *ctx, precondition_kind kind);

typedef struct candidate_search {
    checker *k;
    const ix_access *access; /* that is being looked at */
    candidate *found;        /* stb_ds array, weakest first */
} candidate_search;

typedef struct digit_place { /* variable * weight: one place of a mixed-radix number */
    smt_t variable, weight;
} digit_place;

enum { MAX_PLACES = 6 };

/* The factor that goes with `variable` in one summand: coef times the product without the variable.
 * NULL: the variable is not in the summand exactly once. */
smt_t require_factor_of(smt_ctx *ctx, smt_t summand, smt_int coef, smt_t variable);
/* The distance between places of that weight, which is the weight's amount. */
smt_t require_distance_of(smt_ctx *ctx, smt_t weight);
/* The places of a sum; `looked_up`: numbers that are looked up in a buffer count as well. */
size_t require_places_of(checker *k, smt_t sum, bool looked_up, digit_place *out);
/* Proposes a range of the elements of the argument's buffer, unless it was proposed already. */
void require_propose_range(candidate_search *s, int arg, smt_t low, smt_t high, bool increasing);

#endif

/* Shared by all searches for candidates. */
#ifndef PRECONDITION_PROPOSE_H
#define PRECONDITION_PROPOSE_H

#include "question/checker.h"

typedef void (*require_proposal)(void *search, precondition_kind kind, smt_t fact);

/* Elements of the argument's buffer are lengths of rows, of that many places at most; of at least
 * `least`, unless it is NULL. */
typedef void (*require_length_proposal)(void *search, int arg, smt_t least, smt_t most);

typedef struct candidate {
    precondition_kind kind;
    smt_t fact;
    int unique_arg; /* which argument's contents are unique; else -1 */
    smt_t when;     /* they are unique among the elements for which this holds; NULL: all */
    size_t n_with;  /* they are unique together with the elements at the same index of these
                       arguments */
    const int *with;
    int range_arg;   /* which argument's contents lie in a range; else -1 */
    smt_t low, high; /* NULL: no such bound; they may use contract_value() */
    int prefix_of;   /* which argument's contents `range_arg`'s are the prefix sum of; else -1 */
    bool increasing; /* the sums do not decrease */
    bool alone;      /* says how an array lies: of those that do, one at most holds */
} candidate;

/* One about the launch's numbers alone. */
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

/* The factor that goes with `variable` in one summand, coef * (the product without it); NULL: it is
 * not in it exactly once. */
smt_t require_factor_of(smt_ctx *ctx, smt_t summand, smt_int coef, smt_t variable);
/* How far apart the places of that weight are: its amount. */
smt_t require_distance_of(smt_ctx *ctx, smt_t weight);
/* The places of a sum; `looked_up`: numbers that are looked up in a buffer count as well. */
size_t require_places_of(checker *k, smt_t sum, bool looked_up, digit_place *out);
/* Proposes a range of the elements of the argument's buffer, unless it was proposed already. */
void require_propose_range(candidate_search *s, int arg, smt_t low, smt_t high, bool increasing);

#endif
